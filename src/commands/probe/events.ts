/** What happens while a probe runs, in the order in which it happens: what `--json` prints, a line each. */
import type { TroubleKind } from '../../client/record.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import type { JsonObject, JsonValue } from '../../protocol/messages.js';

export type ProbeEvent =
  | {
      readonly event: 'request';
      readonly id: string | number;
      readonly method: string;
      /** The tool, prompt, resource or task that it names. */
      readonly target: string | undefined;
      readonly params: JsonObject;
    }
  /** With --raw. */
  | { readonly event: 'wire'; readonly direction: 'sent' | 'received'; readonly bytes: Buffer }
  | { readonly event: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly event: 'server_request'; readonly method: string }
  | {
      readonly event: 'input_required';
      readonly status: number;
      readonly requests: readonly InputRequest[];
      readonly carriesState: boolean;
    }
  | {
      readonly event: 'answer';
      readonly key: string;
      readonly by: 'script' | 'user';
      /** Undefined: omitted. */
      readonly answer: JsonObject | undefined;
    }
  | {
      readonly event: 'result';
      readonly status: number;
      readonly method: string;
      readonly result: JsonObject;
    }
  | {
      readonly event: 'error';
      readonly status: number;
      readonly code: JsonValue | undefined;
      readonly message: JsonValue | undefined;
      readonly data: JsonValue | undefined;
    }
  /** An answer of HTTP alone. */
  | { readonly event: 'http'; readonly status: number; readonly body: string }
  /** No response came, or none that can be read. */
  | { readonly event: 'unanswered'; readonly status: number; readonly message: string }
  | {
      readonly event: 'trouble';
      readonly kind: TroubleKind;
      readonly code: string;
      readonly message: string;
    }
  /** What the probe itself has to say; `problem` when it is why the exit status is not 0. */
  | { readonly event: 'note'; readonly problem: boolean; readonly message: string }
  | { readonly event: 'end'; readonly exit: number };

export interface Reporter {
  readonly report: (event: ProbeEvent) => void;
}

/** Exit statuses: the worst of what happened. */
export const EXITS = {
  complete: 0,
  /** A tool's error, a task that failed, a question that nobody answered. */
  failed: 1,
  usage: 2,
  /** The server refused, or broke the protocol. */
  refused: 3,
  /** It could not be reached, or did not answer in time. */
  absent: 4,
} as const;

export const EXIT_ROWS: readonly (readonly [number, string])[] = [
  [EXITS.complete, 'every request came to a complete result'],
  [EXITS.failed, 'a tool said that it failed, a task failed, or a question was left without an answer'],
  [EXITS.usage, 'wrong usage, or a line that is no directive: nothing more was sent'],
  [EXITS.refused, 'the server refused a request, or its answer breaks the protocol'],
  [EXITS.absent, 'the server could not be reached, or did not answer in time'],
];
