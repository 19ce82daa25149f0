/** Callers with the given header fields, and what becomes of them. */
import type { AuthPolicy, Caller, Identified, Protected } from '../../src/engine/identity.js';
import { createIdentify } from '../../src/identity/identify.js';
import { type HeaderValues, headers } from '../rules/fixtures.js';

export const METADATA_URL = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

export const PROTECTED: Protected = { scopes: [], metadataUrl: METADATA_URL, forwardAuthorization: false };

export function caller(values: HeaderValues, trusted = false): Caller {
  return { headers: headers(values), trusted };
}

export async function identified(
  policy: AuthPolicy,
  values: HeaderValues,
  trusted = false,
): Promise<Identified> {
  return createIdentify(policy)(caller(values, trusted));
}

/** Who it is, or undefined when the caller is refused. */
export async function bindingFor(
  policy: AuthPolicy,
  values: HeaderValues,
  trusted = false,
): Promise<string | undefined> {
  const who = await identified(policy, values, trusted);
  return who.kind === 'known' ? who.identity.binding : undefined;
}
