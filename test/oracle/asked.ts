/** What a message asks the user for: the rules on input requests, whether of a result or of a task. */
import type { ClientMessage, Profile } from './client-message.js';
import { formAsksSecret, formFaulty } from './forms.js';
import { urlFaulty, urlIsPlain } from './urls.js';
import {
  type Answer,
  answerOf,
  type Finding,
  holdsName,
  isMap,
  isText,
  type Json,
  type JsonMap,
  mapOf,
  own,
} from './values.js';

const KINDS = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

interface Entry {
  readonly value: Json;
  readonly method: Json | undefined;
  readonly params: JsonMap;
  readonly mode: Json;
}

export type Found = (rule: string, holds: Answer) => Finding;
export type Lacks = (holds: Answer, required: JsonMap) => Finding;

export function askedFindings(
  asked: Json | undefined,
  profile: Profile,
  message: ClientMessage,
  found: Found,
  lacks: Lacks,
): readonly Finding[] {
  const ze = profile === 'ze';
  if (Array.isArray(asked)) {
    // A list is no map: whether what stands in it is judged as well is left open.
    const map = Object.fromEntries((asked as readonly Json[]).entries());
    const listed = askedFindings(map, profile, message, found, lacks);
    return listed.map((finding) => ({
      ...finding,
      holds: finding.holds === 'yes' ? 'maybe' : finding.holds,
    }));
  }
  const entries = Object.values(isMap(asked) ? asked : {}).map(entryOf);
  const elicitations = entries.filter(({ method }) => method === 'elicitation/create');
  const forms = elicitations.filter(({ mode }) => mode === 'form');
  const links = elicitations.filter(({ mode }) => mode === 'url');
  const lacking = entries.map((entry) => needed(entry, message)).filter((need) => need !== undefined);
  const kinds = ze ? KINDS.slice(0, 1) : KINDS;
  return [
    found(
      'input-request-kind-allowed',
      answerOf(entries.some(({ method }) => !kinds.includes(method as string))),
    ),
    lacks(answerOf(lacking.length > 0), merged(lacking)),
    found(
      'elicitation-well-formed',
      any(elicitations, (entry) => malformed(entry, ze)),
    ),
    found(
      'form-asks-no-credential',
      any(forms, ({ params }) => formAsksSecret(own(params, 'message'), own(params, 'requestedSchema'), ze)),
    ),
    found(
      'form-schema-flat',
      any(forms, ({ params }) => {
        const form = own(params, 'requestedSchema');
        return isMap(form) ? formFaulty(form, ze) : 'yes';
      }),
    ),
    found(
      'url-valid',
      any(links, ({ params }) => urlFaulty(own(params, 'url'))),
    ),
    found('url-https', ze ? any(links, ({ params }) => answerOf(urlIsPlain(own(params, 'url')))) : 'no'),
  ];
}

function entryOf(value: Json): Entry {
  const params = mapOf(value, 'params');
  return {
    value,
    method: own(value, 'method'),
    params,
    mode: holdsName(params, 'mode') ? (own(params, 'mode') as Json) : 'form',
  };
}

function any(entries: readonly Entry[], judge: (entry: Entry) => Answer): Answer {
  const answers = entries.map(judge);
  if (answers.includes('yes')) return 'yes';
  return answers.includes('maybe') ? 'maybe' : 'no';
}

/** What the entry needs and the client does not declare. Only an object declares. */
function needed({ method, params, mode }: Entry, { capabilities }: ClientMessage): JsonMap | undefined {
  if (method === 'roots/list') return isMap(own(capabilities, 'roots')) ? undefined : { roots: {} };
  if (method === 'sampling/createMessage') {
    const sampling = own(capabilities, 'sampling');
    const usesTools = holdsName(params, 'tools') || holdsName(params, 'toolChoice');
    if (isMap(sampling) && (!usesTools || isMap(own(sampling, 'tools')))) return undefined;
    return { sampling: usesTools ? { tools: {} } : {} };
  }
  if (method !== 'elicitation/create') return undefined;
  const elicitation = own(capabilities, 'elicitation');
  if (mode === 'url') return isMap(own(elicitation, 'url')) ? undefined : { elicitation: { url: {} } };
  return mode !== 'form' || declaresForm(elicitation) ? undefined : { elicitation: { form: {} } };
}

function merged(needs: readonly JsonMap[]): JsonMap {
  const whole: Record<string, Json> = {};
  for (const [name, value] of needs.flatMap((need) => Object.entries(need)))
    whole[name] = { ...(own(whole, name) as JsonMap | undefined), ...(value as JsonMap) };
  return whole;
}

export function declaresForm(elicitation: Json | undefined): boolean {
  return isMap(elicitation) && (Object.keys(elicitation).length === 0 || isMap(own(elicitation, 'form')));
}

function malformed({ params, mode }: Entry, ze: boolean): Answer {
  if (!isText(own(params, 'message'))) return 'yes';
  if (ze && (mode !== 'form' || !holdsName(params, 'mode'))) return 'yes';
  if (mode === 'url') return isText(own(params, 'url')) ? 'no' : 'yes';
  if (mode !== 'form') return 'yes';
  if (!holdsName(params, 'requestedSchema')) return 'yes';
  // Of another type it is no schema: either rule may say so.
  return isMap(own(params, 'requestedSchema')) ? 'no' : 'maybe';
}
