import { z } from 'zod';
import type { InputKind, RequestStateMode, RewriteId } from '../engine/policy.js';
import type { Profile, Severity } from '../engine/rule.js';
import { INBOUND, OUTBOUND } from '../rules/index.js';
import { auth } from './auth-schema.js';
import {
  certificateFault,
  fieldNameFault,
  fieldValueFault,
  mcpPathFault,
  nameFault,
  passThroughFault,
  privateKeyFault,
  urlFault,
} from './formats.js';
import { PROFILES } from './profiles.js';
import { routeSeal } from './seal-schema.js';
import { list, noted, onOff, text, unsetText } from './values.js';

const upstream = z.strictObject({
  url: text(urlFault).describe('The MCP endpoint of the server.'),
  ca: noted(
    unsetText(certificateFault).describe(
      'Certificates in PEM form that vouch for the upstream, instead of the system’s.',
    ),
    { file: true },
  ),
  cert: noted(
    unsetText(certificateFault).describe('Client certificate chain in PEM form; goes with `key`.'),
    {
      file: true,
    },
  ),
  key: noted(unsetText(privateKeyFault).describe('Private key of `cert` in PEM form, unencrypted.'), {
    file: true,
    secret: true,
  }),
  headers: z
    .record(text(fieldNameFault), noted(text(fieldValueFault), { file: true, secret: true }))
    .default({})
    .describe('Header fields of every request to the upstream; they replace the client’s of the same names.'),
});

const tool = z.strictObject({
  elicits: list().describe('Arguments that the tool asks the user for, by form, when a call lacks them.'),
  auditArguments: list().describe('Arguments whose values the audit log carries.'),
  toolError: z
    .boolean()
    .default(true)
    .describe(
      'A client that cannot be asked gets the tool error `missing required argument: …`; when false, the refusal -32021.',
    ),
});

const inputRequests = z.strictObject({
  max: noted(z.int().min(1).max(1024).optional().describe('Most input requests that one result may carry.'), {
    derived: perProfile((profile) => PROFILES[profile].inputRequests.max),
  }),
  kinds: noted(
    z
      .array(z.enum(['elicitation', 'sampling', 'roots'] satisfies InputKind[]))
      .min(1)
      .optional()
      .describe('What the server may ask for.'),
    { derived: perProfile((profile) => PROFILES[profile].inputRequests.kinds.join(', ')) },
  ),
});

const severity = z.enum(['enforce', 'report', 'off'] satisfies Severity[]);

/** One key a rule, from the register. A locked rule has a key that accepts nothing but `enforce`. */
function rules() {
  const keys: Record<string, z.ZodType<Severity | undefined>> = {};
  for (const { id, guarantees, locked } of [...INBOUND, ...OUTBOUND]) {
    const accepted =
      locked === undefined
        ? onOff(severity.optional())
        : z.literal('enforce', { error: () => `cannot be softened: ${locked}` }).optional();
    keys[id] = accepted.describe(guarantees);
  }
  return z.strictObject(keys);
}

const onOrOff = () => onOff(z.enum(['on', 'off']).optional());

/** Rewrites that a route can turn off; those of requestState belong to its mode. */
const rewrites = z.strictObject({
  'tools-list-required': onOrOff().describe(
    'Fits `required` in tools/list to whether the client can be asked.',
  ),
  'list-scope-private': onOrOff().describe('Says `cacheScope: "private"` in tools/list when tools elicit.'),
  'discover-versions': onOrOff().describe('Names only the protocol versions that the route lets through.'),
} satisfies Partial<Record<RewriteId, z.ZodType>>);

const credentials = z.strictObject({
  words: list().describe('Further words that name a secret in forms.'),
  except: list().describe('Field names and words that are no secret here.'),
});

export const routeKeys = z.strictObject({
  name: noted(text(nameFault).optional().describe('Name in metrics and logs.'), { derived: 'from the path' }),
  path: text(mcpPathFault).default('/mcp').describe('Exact pathname of the MCP endpoint that clients use.'),
  upstream: z
    .preprocess((value: string | z.input<typeof upstream>) => withUrl(value), upstream)
    .describe('The MCP endpoint that the route stands in front of: a URL, or an object with these keys.'),
  profile: z
    .enum(['ze', 'spec'])
    .default('spec')
    .describe('What is allowed: all that the revision allows, or the narrower manner of Ze.'),
  mode: z
    .enum(['enforce', 'report'])
    .default('enforce')
    .describe(
      '`report`: findings are counted and logged, only locked rules and rules set here refuse, no rewrites.',
    ),
  requestState: noted(
    z
      .enum(['forbid', 'relay', 'seal'] satisfies RequestStateMode[])
      .optional()
      .describe(
        '`forbid`: neither side may send requestState. `relay`: it passes as it is. `seal`: it leaves encrypted, and opens only for the caller and the call that it was made for.',
      ),
    {
      derived: `${perProfile((profile) => PROFILES[profile].requestState)}; relay instead of seal in mode report`,
    },
  ),
  seal: routeSeal.prefault({}).describe('`requestState: seal`: what differs from the top-level `seal`.'),
  auth: auth
    .prefault({})
    .describe('Who may call, and how callers are told apart: a mode, or an object with these keys.'),
  tools: z
    .record(z.string().min(1), tool)
    .default({})
    .describe('What the gateway knows of single tools, by tool name.'),
  inputRequests: inputRequests.prefault({}).describe('Bounds of what a result may ask the client for.'),
  rules: rules().default({}).describe('Severity of single rules: enforce, report or off.'),
  rewrites: rewrites.default({}).describe('Single rewrites: on or off.'),
  credentials: credentials.prefault({}).describe('Adjusts how forms are searched for credentials.'),
  passThrough: list(passThroughFault).describe(
    'Paths, or prefixes that end in /, that GET and HEAD reach on the upstream unmediated.',
  ),
  legacy: z
    .enum(['refuse', 'pass'])
    .default('refuse')
    .describe('Messages of earlier protocol revisions: refused, or passed with their forms still judged.'),
  capabilityErrorStatus: z
    .literal([400, 200])
    .default(400)
    .describe('HTTP status of the refusal -32021; 200 for clients that drop the connection on 400.'),
  listTtlMs: z
    .int()
    .min(0)
    .max(31_536_000_000)
    .nullable()
    .default(null)
    .describe(
      'Upper bound of `ttlMs` in tools/list answers that the gateway makes private; unset keeps the server’s.',
    ),
});

/** A route with every default in place, those that follow from its profile and path too. */
export const route = routeKeys.transform((keys) => {
  const { inputRequests: standard } = PROFILES[keys.profile];
  return {
    ...keys,
    name: keys.name ?? nameOf(keys.path),
    rules: keys.rules as Readonly<Record<string, Severity | undefined>>,
    requestState: keys.requestState ?? standardState(keys.profile, keys.mode),
    inputRequests: {
      max: keys.inputRequests.max ?? standard.max,
      kinds: keys.inputRequests.kinds ?? [...standard.kinds],
    },
  };
});

export type RouteConfig = z.output<typeof route>;

/** Mode report changes no message, and sealing would. */
export function standardState(profile: Profile, mode: 'enforce' | 'report'): RequestStateMode {
  const { requestState } = PROFILES[profile];
  return requestState === 'seal' && mode === 'report' ? 'relay' : requestState;
}

/** An upstream written as a URL alone is one without any other key. */
function withUrl(value: string | z.input<typeof upstream>) {
  return typeof value === 'string' ? { url: value } : value;
}

/** `/teams/a/mcp` is called `teams-a-mcp`, and `/` root. */
export function nameOf(path: string): string {
  const name = path.replace(/[^A-Za-z0-9._]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '');
  return name.slice(0, 63) || 'root';
}

function perProfile(value: (profile: 'ze' | 'spec') => string | number): string {
  return `ze: ${value('ze')}; spec: ${value('spec')}`;
}
