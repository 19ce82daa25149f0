/** What a client can say of itself: servers answer each shape in its own way, or should. */
import { TASKS_EXTENSION } from '../protocol/constants.js';
import type { JsonObject } from '../protocol/messages.js';

export const SHAPES = {
  /** All that the revision and the Tasks extension know. */
  all: {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {} },
    roots: {},
    extensions: { [TASKS_EXTENSION]: {} },
  },
  form: { elicitation: { form: {} } },
  /** An empty object declares form, and nothing else. */
  bare: { elicitation: {} },
  url: { elicitation: { url: {} } },
  none: {},
} as const satisfies Record<string, JsonObject>;

export type ShapeName = keyof typeof SHAPES;

export const EVERY_SHAPE: readonly ShapeName[] = ['all', 'form', 'bare', 'url', 'none'];
