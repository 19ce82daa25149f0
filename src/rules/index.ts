/** THE register: every rule, in the order in which it is evaluated. Array order is precedence. */
import type { Rule } from '../engine/rule.js';

export const ADMIT: readonly Rule<'admit'>[] = [];

export const PARSE: readonly Rule<'parse'>[] = [];

export const INBOUND: readonly Rule<'inbound'>[] = [];

export const OUTBOUND: readonly Rule<'outbound'>[] = [];
