/** Notices that configuration files changed. Folders are watched, since mounted files change by a link beside them. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

export interface FileWatch {
  /** Watches these files instead; their present content is the known one. */
  follow(files: readonly string[]): void;
  close(): void;
}

/** Events come in bursts: a look waits until they rest for so long. */
const REST_MS = 50;
/** Where a folder cannot be watched (no more watches, a file system without events) it is looked at so often. */
const LOOK_MS = 5_000;

/** Calls `onChange` after the content of a file changed; a file that is gone for the moment is not a change. */
export function watchFiles(files: readonly string[], onChange: () => void): FileWatch {
  return new ContentWatch(files, onChange);
}

class ContentWatch implements FileWatch {
  readonly #onChange: () => void;
  readonly #folders = new Map<string, () => void>();
  #files: readonly string[] = [];
  #known: string | undefined;
  #rest: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(files: readonly string[], onChange: () => void) {
    this.#onChange = onChange;
    this.follow(files);
  }

  follow(files: readonly string[]): void {
    if (this.#closed) return;
    this.#files = files;
    this.#known = digestOf(files) ?? this.#known;
    this.#watchFolders();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#rest);
    for (const folder of [...this.#folders.keys()]) this.#release(folder);
  }

  #watchFolders(): void {
    const wanted = new Map(this.#files.flatMap(foldersOf).map((folder) => [identityOf(folder), folder]));
    for (const identity of [...this.#folders.keys()]) if (!wanted.has(identity)) this.#release(identity);
    for (const [identity, folder] of wanted) {
      if (!this.#folders.has(identity)) this.#folders.set(identity, this.#open(folder));
    }
  }

  /** Returns how to stop. */
  #open(folder: string): () => void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#stirred());
      let stop = () => watcher.close();
      watcher.on('error', () => {
        watcher.close();
        if (!this.#closed) stop = this.#lookOften();
      });
      return () => stop();
    } catch {
      return this.#lookOften();
    }
  }

  #lookOften(): () => void {
    const timer = setInterval(() => this.#look(), LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  #release(identity: string): void {
    this.#folders.get(identity)?.();
    this.#folders.delete(identity);
  }

  #stirred(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#look(), REST_MS).unref();
  }

  #look(): void {
    if (this.#closed) return;
    this.#watchFolders();
    const digest = digestOf(this.#files);
    if (digest === undefined || digest === this.#known) return;
    this.#known = digest;
    this.#onChange();
  }
}

/** The folder that a file is named in, and the one that it lies in behind links. */
function foldersOf(file: string): readonly string[] {
  try {
    return [dirname(file), dirname(realpathSync(file))];
  } catch {
    return [dirname(file)];
  }
}

/** A folder made anew under an old name is another one. */
function identityOf(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false, bigint: true });
  return `${folder}:${stat?.dev ?? ''}:${stat?.ino ?? ''}`;
}

function digestOf(files: readonly string[]): string | undefined {
  const hash = createHash('sha256');
  try {
    for (const file of files) hash.update(createHash('sha256').update(readFileSync(file)).digest());
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
