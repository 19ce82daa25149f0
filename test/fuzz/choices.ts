/**
 * A case as a list of numbers, each the answer to one question of its generator. The answer 0 is always the plainest, and
 * what is asked beyond the list is answered so: fast-check makes a failing list smaller and plainer without knowing how
 * exchanges look.
 */
import fc from 'fast-check';

export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** One of 0 … count - 1. */
  below(count: number): number {
    const number = this.#numbers[this.#at] ?? 0;
    this.#at += 1;
    return number % count;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** True once in so many. */
  once(inSoMany: number): boolean {
    return this.below(inSoMany) === inSoMany - 1;
  }
}

export const choices: fc.Arbitrary<Choices> = fc
  .array(fc.nat(0xffff), { minLength: 40, maxLength: 400, size: 'max' })
  .map((numbers) => new Choices(numbers));
