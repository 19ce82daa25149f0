/** What flags of `npm run bench` and `npm run soak` may say. */
import { InvalidArgumentError } from 'commander';

export function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

export function whole(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('It must be a whole number.');
}

export function count(text: string): number {
  const value = whole(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be above 0.');
}

/** Names with commas between them, of those that are known, if all are. */
export function namesOf(known?: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const given = text.split(',').filter(Boolean);
    const unknown = given.find((name) => known?.includes(name) === false);
    if (unknown === undefined || known === undefined) return given;
    throw new InvalidArgumentError(`${unknown} is none of ${known.join(', ')}.`);
  };
}
