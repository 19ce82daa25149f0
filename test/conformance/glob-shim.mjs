/**
 * For `node --import`: lets the conformance command load on Node 20, whose `fs` lacks the `globSync` that it imports.
 * Running scenarios against a server never calls it, so here it finds nothing. Where `fs` has it, nothing is changed.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) {
  const shim = asUrl("export * from 'node:fs'; export const globSync = () => [];");
  register(
    asUrl(`export function resolve(specifier, context, next) {
      const wanted = specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/');
      return wanted ? { url: ${JSON.stringify(shim)}, shortCircuit: true } : next(specifier, context);
    }`),
  );
}

function asUrl(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
