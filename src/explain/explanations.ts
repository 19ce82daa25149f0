/** Every rule's explanation, by its id. */
import type { Explanation } from './example.js';
import { FORMS } from './forms.js';
import { HEADS } from './heads.js';
import { INBOUND_EXPLANATIONS } from './inbound.js';
import { QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { STREAMS } from './streams.js';

export const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map(
  [HEADS, INBOUND_EXPLANATIONS, RESULTS, QUESTIONS, FORMS, STREAMS].flatMap((group) => Object.entries(group)),
);
