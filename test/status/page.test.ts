import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusPage } from '../../src/status/page.js';

const FOLDER = 'src/status/page';
const FILES = readdirSync(FOLDER).sort();
const { html, contentSecurityPolicy } = statusPage();
const policy = new Map(
  contentSecurityPolicy.split('; ').map((directive) => {
    const [name = '', ...values] = directive.split(' ');
    return [name, values.join(' ')] as const;
  }),
);

function source(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

function between(begin: string, end: string): string {
  const from = html.indexOf(begin) + begin.length;
  return html.slice(from, html.indexOf(end, from));
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

describe('the document', () => {
  it('lets nothing run, load or frame but itself', () => {
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'style-src': hashOf(between('<style>', '</style>')),
      'script-src': hashOf(between('<script type="module">', '</script>')),
      'connect-src': "'self'",
      'img-src': 'data:',
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
  });

  it('is made of all its files', () => {
    for (const file of FILES.filter((name) => /\.(css|js)$/.test(name))) {
      const [line = ''] = source(file)
        .split('\n')
        .filter((text) => /^(export function|[.#a-z[:@].*\{$)/.test(text));
      expect(html, file).toContain(line.replace(/^export /, ''));
    }
  });

  it('takes nothing from elsewhere', () => {
    const hosts = new Set([...html.matchAll(/(?:https?:)?\/\/[a-z][\w.-]*/g)].map(([address]) => address));
    expect([...hosts]).toEqual(['http://www.w3.org']);
    expect(html).not.toMatch(/<img|<iframe|<script[^>]* src|stylesheet|@import|url\(/);
  });

  it('has a script that is one, with nothing left of its modules', () => {
    const script = between('<script type="module">', '</script>');
    expect(() => new Function(script)).not.toThrow();
    expect(script).not.toMatch(/^(import|export)\b/m);
  });

  it('makes no markup out of text', () => {
    const offences = FILES.filter((file) =>
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function|setHTML/.test(
        source(file),
      ),
    );
    expect(offences).toEqual([]);
  });

  it('has no file of more than 250 lines', () => {
    expect(FILES.filter((file) => source(file).split('\n').length > 251)).toEqual([]);
  });
});

type Palette = ReadonlyMap<string, string>;

/** Custom properties that are colours, of the first or the second block of them. */
function palette(dark: boolean): Palette {
  const css = source('base.css');
  const at = css.indexOf('@media (prefers-color-scheme: dark)');
  const light = colours(css.slice(0, at));
  return dark ? new Map([...light, ...colours(css.slice(at, css.indexOf('@media', at + 1)))]) : light;
}

function colours(css: string): Palette {
  return new Map(
    [...css.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ['light', false],
  ['dark', true],
])('the %s palette', (_, dark) => {
  const of = (name: string) => palette(dark).get(name) ?? '#000000';
  const kinds = ['refused', 'dropped', 'reported', 'good', 'off'].map((kind) => [kind, `${kind}-tint`]);
  const texts = ['text', 'quiet', 'accent'].flatMap((text) =>
    ['page', 'card', 'hover'].map((ground) => [text, ground]),
  );

  it.each([...texts, ...kinds, ['on-accent', 'accent'], ['refused', 'card']])(
    'can be read: %s on %s',
    (text = '', ground = '') => {
      expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each([
    ['strong-line', 'card'],
    ['accent', 'card'],
    ['accent', 'page'],
    ['refused', 'card'],
  ])('shows controls, focus and bars: %s on %s', (line, ground) => {
    expect(contrast(of(line), of(ground))).toBeGreaterThanOrEqual(3);
  });
});
