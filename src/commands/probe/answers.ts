/** Where answers come from: first what the script queued, then the person at the terminal, then nobody. */
import { elicitResult, rootsResult, type Said, sampleResult } from '../../client/answering.js';
import type { Answer, Answerer } from '../../client/call.js';
import { display } from '../../client/display.js';
import { METHOD_ELICIT, METHOD_ROOTS, METHOD_SAMPLE } from '../../protocol/constants.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import type { Reporter } from './events.js';

/** Asks a person; `ask.ts` does. */
export type Ask = (request: InputRequest, round: number) => Promise<Answer>;

export class Answers {
  readonly #elicit: (Said | 'omit')[] = [];
  readonly #sample: string[] = [];
  readonly #roots: (readonly string[])[] = [];
  readonly #reporter: Reporter;
  readonly #ask: Ask | undefined;
  /** A question was left without an answer since this was last set to false. */
  unanswered = false;

  constructor(reporter: Reporter, ask: Ask | undefined) {
    this.#reporter = reporter;
    this.#ask = ask;
  }

  queueElicit(said: Said | 'omit'): void {
    this.#elicit.push(said);
  }

  queueSample(said: string): void {
    this.#sample.push(said);
  }

  queueRoots(uris: readonly string[]): void {
    this.#roots.push(uris);
  }

  /** How many answers nobody asked for. */
  get left(): number {
    return this.#elicit.length + this.#sample.length + this.#roots.length;
  }

  /** The next question goes to the person at the terminal. */
  get asksNext(): boolean {
    return this.#ask !== undefined && this.left === 0;
  }

  readonly answer: Answerer = async (request, round) => {
    const scripted = this.#scripted(request);
    if (scripted !== undefined) return this.#told(request, 'script', scripted);
    if (this.#ask !== undefined) return this.#told(request, 'user', await this.#ask(request, round));
    this.#problem(`${display(request.key, 200)} is left without an answer: ${adviceFor(request)}`);
    return 'stop';
  };

  #scripted(request: InputRequest): Answer | undefined {
    if (request.method === METHOD_ROOTS) {
      const uris = this.#roots.shift();
      return uris && { result: rootsResult(uris) };
    }
    if (request.method === METHOD_SAMPLE) {
      const said = this.#sample.shift();
      return said === undefined ? undefined : { result: sampleResult(said) };
    }
    if (request.method !== METHOD_ELICIT) return undefined;
    const said = this.#elicit.shift();
    if (said === undefined || said === 'omit') return said;
    const made = elicitResult(request, said);
    if ('result' in made) return made;
    this.#problem(made.problem);
    return 'stop';
  }

  #told(request: InputRequest, by: 'script' | 'user', answer: Answer): Answer {
    if (answer === 'stop') this.unanswered = true;
    else {
      const given = answer === 'omit' ? undefined : answer.result;
      this.#reporter.report({ event: 'answer', key: request.key, by, answer: given });
    }
    return answer;
  }

  #problem(message: string): void {
    this.unanswered = true;
    this.#reporter.report({ event: 'note', problem: true, message });
  }
}

function adviceFor({ method }: InputRequest): string {
  if (method === METHOD_ELICIT) return 'queue one with `elicit-answer` before the call';
  if (method === METHOD_SAMPLE)
    return 'this client has no model; queue a `sample-answer` before the call to stand for one';
  if (method === METHOD_ROOTS) return 'queue one with `roots-answer` before the call';
  return 'it is of no kind that the revision knows';
}
