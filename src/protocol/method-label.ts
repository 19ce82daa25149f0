import { CLIENT_METHODS } from './constants.js';

/** Stands for every method that is neither the revision's nor the Tasks extension's, and for messages without one. */
export const OTHER_METHOD = 'other';

/** A method as one of a closed set: what a peer invents adds nothing to it. */
export function methodLabel(method: string | undefined): string {
  return method !== undefined && CLIENT_METHODS.has(method) ? method : OTHER_METHOD;
}
