/** Colours for a terminal, or none. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

export const RESET = '\u001b[0m';

export function createPaint(colours: boolean): Paint {
  const style = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}${RESET}` : text);
  return { bold: style(1), dim: style(2), good: style(32), bad: style(31), warn: style(33) };
}

/** NO_COLOR (https://no-color.org), a terminal that knows none, or no terminal at all. */
export function wantsColours(env: Readonly<Record<string, string | undefined>>, terminal: boolean): boolean {
  return terminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}
