import { copies } from './copies.js';
import { growth } from './growth.js';
import { heap } from './heap.js';
import { inputRequired } from './input-required.js';
import { large } from './large.js';
import { refusals } from './refusals.js';
import { scale } from './scale.js';
import { small } from './small.js';
import { sse } from './sse.js';
import { streams } from './streams.js';
import { toolsList } from './tools-list.js';
import type { Workload } from './workload.js';

/** In the order of the page. */
export const WORKLOADS: readonly Workload[] = [
  ...[small, inputRequired, toolsList, large, sse, refusals],
  ...[streams, heap, growth, scale, copies],
];
