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
  inner: Map<Step, Place> | undefined;
  change: Change | undefined;
  /** The text has it. */
  found = false;

  plan(change: Change): void {
    let place: Place = this;
    for (const step of change.path) place = place.#at(step);
    place.change = change;
  }

  get isRemoved(): boolean {
    return this.change !== undefined && this.change.json === undefined;
  }

  #at(step: Step): Place {
    this.inner ??= new Map();
    const known = this.inner.get(step);
    if (known !== undefined) return known;
    const inner = new Place();
    this.inner.set(step, inner);
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
    const inner = place.inner?.get(step);
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

function additions({ inner }: Place, named: boolean): string {
  const added: string[] = [];
  for (const [step, { change, found }] of inner ?? []) {
    if (found || change?.json === undefined || named !== (typeof step === 'string')) continue;
    added.push(named ? `${JSON.stringify(step)}:${change.json}` : change.json);
  }
  return added.join();
}

function cut(start: number, end: number): Edit {
  return { start, end, text: '' };
}
