/** The status page: one self-contained document, put together once from the files beside it. It holds no data. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** In this order; a script uses what stands before it. */
const STYLES = ['base.css', 'parts.css', 'glance.css', 'tables.css', 'narrow.css'];
const SCRIPTS = ['dom.js', 'glance.js', 'routes.js', 'rules.js', 'decisions.js', 'main.js'];

export interface StatusPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export function statusPage(): StatusPage {
  const style = STYLES.map(read).join('');
  const script = SCRIPTS.map((file) => asScript(read(file))).join('');
  const html = read('index.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
  return { html, contentSecurityPolicy: policyFor(style, script) };
}

/** Nothing but these two texts has a say in the page, and nothing it is given can become markup. */
function policyFor(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function read(file: string): string {
  return readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8');
}

/** Modules for editors and the type checker, one script for the browser. */
function asScript(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}
