export type KeyPath = readonly (string | number)[];

const MAX_NAME = 64;

/** `routes[0].tools.book.elicits`; names that are no plain words stand quoted in brackets. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const name of path) {
    if (typeof name === 'number') text += `[${name}]`;
    else if (/^[A-Za-z0-9_-]+$/.test(String(name))) text += text === '' ? String(name) : `.${String(name)}`;
    else text += `[${JSON.stringify(String(name).slice(0, MAX_NAME))}]`;
  }
  return text;
}
