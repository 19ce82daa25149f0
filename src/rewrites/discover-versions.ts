import type { Change } from '../protocol/changes.js';
import { METHOD_DISCOVER } from '../protocol/constants.js';
import { REFUSALS } from '../protocol/errors.js';
import { arrayMember, isObject, type JsonObject } from '../protocol/messages.js';
import { resultOf } from '../protocol/results.js';
import type { Rewrite } from './rewrite.js';

/**
 * A client tries a version that the list names (basic/versioning). When the route and the server have none in common the
 * list is left empty: naming one all the same would send the client round in circles.
 */
export const discoverVersions: Rewrite<'outbound'> = {
  id: 'discover-versions',
  stage: 'outbound',
  does: 'The versions that a server names are those that the route lets through.',
  changes: ({ exchange, message }) => {
    const { versions } = exchange.policy;
    const result = resultOf(message);
    if (result !== undefined) {
      const discovers = exchange.message.method === METHOD_DISCOVER;
      return discovers ? withoutOthers(result, 'supportedVersions', ['result'], versions) : [];
    }
    const error = message?.kind === 'response' ? message.error : undefined;
    if (error?.code !== REFUSALS.unsupportedVersion.code || !isObject(error.data)) return [];
    return withoutOthers(error.data, 'supported', ['error', 'data'], versions);
  },
};

function withoutOthers(
  holder: JsonObject,
  name: string,
  path: Change['path'],
  versions: readonly string[],
): readonly Change[] {
  const named = arrayMember(holder, name) ?? [];
  return named.flatMap((version, index) =>
    versions.some((passing) => passing === version)
      ? []
      : [{ path: [...path, name, index], json: undefined }],
  );
}
