import { namesRoute } from '../config/environment.js';
import type { Flags } from '../config/flags.js';
import { loadConfig } from '../config/load.js';
import { CAPTURE_FULL_SAYS, CAPTURE_SAYS, type CaptureFlags, readCapture } from './capture-flags.js';
import { type Declaration, gather } from './declaration.js';
import { describe } from './help.js';
import { EXIT_USAGE, type World } from './world.js';

const NOTHING_TO_SERVE = `mrtr-gateway: nothing to stand in front of: neither a configuration nor an upstream is named

  mrtr-gateway --upstream http://127.0.0.1:9718/mcp    in front of one MCP server
  mrtr-gateway --config gateway.yaml                   as the file says
  mrtr-gateway demo                                    in front of an embedded stand-in for Ze, to try it out

Run \`mrtr-gateway --help\` for every flag.
`;

/** Serves until it is told to stop; resolves to the exit code. Throws ConfigError with every problem. */
export async function serve(flags: Flags & CaptureFlags, world: World): Promise<number> {
  if (flags.config === undefined && flags.upstream === undefined && !namesRoute(world.env)) {
    world.err(NOTHING_TO_SERVE);
    return EXIT_USAGE;
  }
  const load = () => loadConfig({ flags, env: world.env });
  const capture = readCapture(flags);
  return world.start({ loaded: load(), reload: flags.config === undefined ? undefined : load, capture });
}

export const declareServe: Declaration = (program, act) =>
  describe(
    program
      .command('serve', { isDefault: true })
      .description('stand in front of the configured servers')
      .option('--config <FILE>', 'configuration file, YAML or JSON')
      .option('--upstream <URL>', 'MCP endpoint of the server to stand in front of')
      .option('--listen <HOST:PORT>', 'where clients connect (127.0.0.1:9719); port 0 picks a free one')
      .option('--admin <HOST:PORT>', 'where /metrics, /healthz and /readyz are (127.0.0.1:9720)')
      .option('--profile <ze|spec>', 'what is allowed: the revision (spec) or the manner of Ze')
      .option('--elicits <TOOL=ARG[,ARG]>', 'arguments that a tool asks the user for; repeatable', gather)
      .option('--capture <FILE>', CAPTURE_SAYS)
      .option('--capture-full', CAPTURE_FULL_SAYS)
      .action((flags) => act((world) => serve(flags, world))),
    {
      values: { '--config': 'file', '--capture': 'file', '--profile': ['ze', 'spec'] },
      examples: [
        [
          'serve --upstream https://mcp.example.com/mcp',
          'in front of one server, by the rules of the revision',
        ],
        ['serve --config gateway.yaml --listen 0.0.0.0:9719', 'as the file says, but on every address'],
        ['serve --config gateway.yaml --capture traffic.jsonl', 'and write down what is said, for inspect'],
      ],
    },
  );
