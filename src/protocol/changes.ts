/** Changes of a message by path, made in its text: what they do not name keeps every byte. */
import {
  applyEdits,
  containerAt,
  type Edit,
  endOfValue,
  type Path,
  rootOf,
  type Step,
  visitItems,
} from './json.js';

export interface Change {
  /** At least one step. A missing member, or an index past the end, is added when its container is there. */
  readonly path: Path;
  /** The new value as JSON text; undefined takes the member or element away. */
  readonly json: string | undefined;
}

/** Makes the changes in one pass. Of two changes of one place the later counts; of one inside another, the outer. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  const root = new Place();
  for (const change of changes) root.plan(change);
  const edits: Edit[] = [];
  editValue(text, rootOf(text), root, edits);
  return applyEdits(text, edits);
}

/** A value on the way of some path, and what is to become of it. */
class Place {
  /** Most places lead to one other: for that, a table would cost more than all the rest. */
  #step: Step | undefined;
  #only: Place | undefined;
  #others: Map<Step, Place> | undefined;
  change: Change | undefined;
  /** The text has it. */
  found = false;

  plan(change: Change): void {
    let place: Place = this;
    for (const step of change.path) place = place.at(step) ?? place.#add(step);
    place.change = change;
  }

  /** Where it leads is there in the text. */
  get isComplete(): boolean {
    return this.#others === undefined && this.#only?.found !== false;
  }

  get isRemoved(): boolean {
    return this.change !== undefined && this.change.json === undefined;
  }

  at(step: Step): Place | undefined {
    return step === this.#step ? this.#only : this.#others?.get(step);
  }

  /** In the order in which they were planned. */
  inner(): readonly (readonly [Step, Place])[] {
    if (this.#step === undefined || this.#only === undefined) return [];
    return [[this.#step, this.#only], ...(this.#others ?? [])];
  }

  #add(step: Step): Place {
    const inner = new Place();
    if (this.#only === undefined) {
      this.#step = step;
      this.#only = inner;
    } else {
      this.#others ??= new Map();
      this.#others.set(step, inner);
    }
    return inner;
  }
}

/** Returns the offset after the container, as does `editValue`. */
function editInside(text: string, start: number, place: Place, edits: Edit[]): number {
  let kept = false;
  let previousEnd = start + 1;
  // Where the items that are removed from the front begin: their commas stand after them.
  let front: number | undefined;
  const end = visitItems(text, start, (step, itemStart, valueStart) => {
    const inner = place.at(step);
    const removed = inner?.isRemoved ?? false;
    if (front !== undefined) edits.push(cut(front, itemStart));
    front = removed && !kept ? itemStart : undefined;
    const valueEnd =
      inner === undefined ? endOfValue(text, valueStart) : editValue(text, valueStart, inner, edits);
    if (removed && kept) edits.push(cut(previousEnd, valueEnd));
    kept ||= !removed;
    previousEnd = valueEnd;
    return valueEnd;
  });
  if (front !== undefined) edits.push(cut(front, previousEnd));
  const added = additions(place, containerAt(text, start) === 'object');
  if (added !== '') edits.push({ start: previousEnd, end: previousEnd, text: kept ? `,${added}` : added });
  return end;
}

function editValue(text: string, start: number, place: Place, edits: Edit[]): number {
  const { change } = place;
  place.found = true;
  if (change === undefined && containerAt(text, start) !== undefined)
    return editInside(text, start, place, edits);
  const end = endOfValue(text, start);
  if (change?.json !== undefined) edits.push({ start, end, text: change.json });
  return end;
}

function additions(place: Place, named: boolean): string {
  if (place.isComplete) return '';
  const added: string[] = [];
  for (const [step, { change, found }] of place.inner()) {
    if (found || change?.json === undefined || named !== (typeof step === 'string')) continue;
    added.push(named ? `${JSON.stringify(step)}:${change.json}` : change.json);
  }
  return added.join();
}

function cut(start: number, end: number): Edit {
  return { start, end, text: '' };
}
