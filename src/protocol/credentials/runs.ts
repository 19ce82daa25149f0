/** Finds known words inside a run of letters: `dbpassword`, `请输入密码`. */

interface Node {
  readonly next: Map<number, Node>;
  ends: boolean;
}

export class Runs {
  readonly #root: Node = { next: new Map(), ends: false };
  readonly #endings: readonly string[];

  /** `endings` count where the run ends with them only, perhaps as a plural. */
  constructor(words: Iterable<string>, endings: readonly string[]) {
    this.#endings = endings;
    for (const word of words) {
      let node = this.#root;
      for (let index = 0; index < word.length; index += 1) {
        const code = word.charCodeAt(index);
        const next = node.next.get(code) ?? { next: new Map(), ends: false };
        node.next.set(code, next);
        node = next;
      }
      node.ends = true;
    }
  }

  /** The run as known words and what stands between them. Time is linear: known words are short. */
  cut(run: string): string[] {
    const ending = this.#ending(run);
    const stop = run.length - ending.length;
    const words: string[] = [];
    let from = 0;
    for (let index = 0; index < stop; ) {
      const length = this.#longestAt(run, index);
      if (length === 0) {
        index += 1;
        continue;
      }
      if (index > from) words.push(run.slice(from, index));
      words.push(run.slice(index, index + length));
      index += length;
      from = index;
    }
    if (from < stop) words.push(run.slice(from, stop));
    if (from <= stop && ending !== '') words.push(ending);
    if (from > stop && from < run.length) words.push(run.slice(from));
    return words;
  }

  #ending(run: string): string {
    const singular = run.endsWith('s') ? run.slice(0, -1) : run;
    const found = this.#endings.find(
      (ending) => singular.endsWith(ending) && singular.length > ending.length + 1,
    );
    return found === undefined ? '' : run.slice(singular.length - found.length);
  }

  #longestAt(run: string, start: number): number {
    let node: Node | undefined = this.#root;
    let longest = 0;
    for (let index = start; index < run.length; index += 1) {
      node = node.next.get(run.charCodeAt(index));
      if (node === undefined) break;
      if (node.ends) longest = index + 1 - start;
    }
    return longest;
  }
}
