import { namesRoute } from '../config/environment.js';
import type { Flags } from '../config/flags.js';
import { loadConfig } from '../config/load.js';
import { EXIT_USAGE, type World } from './world.js';

const NOTHING_TO_SERVE = `mrtr-gateway: nothing to stand in front of: neither a configuration nor an upstream is named

  mrtr-gateway --upstream http://127.0.0.1:9718/mcp    in front of one MCP server
  mrtr-gateway --config gateway.yaml                   as the file says
  mrtr-gateway demo                                    in front of an embedded stand-in for Ze, to try it out

Run \`mrtr-gateway --help\` for every flag.
`;

/** Serves until it is told to stop; resolves to the exit code. Throws ConfigError with every problem. */
export async function serve(flags: Flags, world: World): Promise<number> {
  if (flags.config === undefined && flags.upstream === undefined && !namesRoute(world.env)) {
    world.err(NOTHING_TO_SERVE);
    return EXIT_USAGE;
  }
  const load = () => loadConfig({ flags, env: world.env });
  return world.start({ loaded: load(), reload: flags.config === undefined ? undefined : load });
}
