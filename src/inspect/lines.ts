/** The lines of a file of any size. */

/** A line without its end; undefined stands for one that is too long. */
export type Line = Buffer | undefined;

const LF = 0x0a;

export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      length += end - start;
      yield length > maxBytes ? undefined : Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    length += chunk.length - start;
    // What is too long is not kept either.
    pieces = length > maxBytes ? [] : [...pieces, chunk.subarray(start)];
  }
  if (length > 0) yield length > maxBytes ? undefined : Buffer.concat(pieces);
}
