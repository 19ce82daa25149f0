/** The one reading of `io.modelcontextprotocol/clientCapabilities`: a capability is declared when its value is an object. */
import { META_CLIENT_CAPABILITIES, TASKS_EXTENSION } from './constants.js';
import { isObject, type JsonObject, member, objectMember } from './messages.js';

export interface Capabilities {
  readonly form: boolean;
  readonly url: boolean;
  readonly sampling: boolean;
  readonly samplingTools: boolean;
  readonly roots: boolean;
  readonly tasks: boolean;
  /** Names of every declared extension, tasks included. */
  readonly extensions: readonly string[];
}

export const NO_CAPABILITIES: Capabilities = Object.freeze({
  form: false,
  url: false,
  sampling: false,
  samplingTools: false,
  roots: false,
  tasks: false,
  extensions: Object.freeze([]),
});

/**
 * Reads what a request's `_meta` declares. `elicitation: {}` declares form and nothing else; an object that names only
 * unknown modes declares neither (client/elicitation#capabilities).
 */
export function readCapabilities(meta: JsonObject): Capabilities {
  const declared = objectMember(meta, META_CLIENT_CAPABILITIES);
  if (declared === undefined) return NO_CAPABILITIES;
  const elicitation = objectMember(declared, 'elicitation');
  const sampling = objectMember(declared, 'sampling');
  const extensions = objectMember(declared, 'extensions') ?? {};
  return {
    form:
      elicitation !== undefined && (declares(elicitation, 'form') || Object.keys(elicitation).length === 0),
    url: elicitation !== undefined && declares(elicitation, 'url'),
    sampling: sampling !== undefined,
    samplingTools: sampling !== undefined && declares(sampling, 'tools'),
    roots: declares(declared, 'roots'),
    tasks: declares(extensions, TASKS_EXTENSION),
    extensions: Object.keys(extensions).filter((name) => declares(extensions, name)),
  };
}

/** The client declared an extension of which this gateway knows nothing: it may define result types and notifications. */
export function declaresUnknownExtension(capabilities: Capabilities): boolean {
  return capabilities.extensions.some((name) => name !== TASKS_EXTENSION);
}

function declares(object: JsonObject, name: string): boolean {
  return isObject(member(object, name));
}
