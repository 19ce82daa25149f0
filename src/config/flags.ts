import type { JsonValue } from '../protocol/messages.js';
import type { Problem } from './loaded.js';
import type { Overlay } from './overlays.js';

/** Command line flags that configure; texts as they were given. */
export interface Flags {
  readonly config?: string | undefined;
  readonly upstream?: string | undefined;
  readonly listen?: string | undefined;
  readonly admin?: string | undefined;
  readonly profile?: string | undefined;
  /** Each `TOOL=ARG[,ARG]`. */
  readonly elicits?: readonly string[] | undefined;
}

/** Flags as overlays. Those of a route set the only one that there is, or make it. */
export function readFlags(flags: Flags, routes: number, problems: Problem[]): readonly Overlay[] {
  const overlays: Overlay[] = [];
  const push = (source: string, path: Overlay['path'], value: JsonValue | undefined) => {
    if (value === undefined) return;
    if (path[0] === 'routes' && routes > 1)
      problems.push({ path: source, message: `sets the only route, but ${routes} are configured` });
    else overlays.push({ path, value, origin: 'flag', source });
  };
  push('--listen', ['listen'], flags.listen);
  push('--admin', ['admin'], flags.admin);
  push(
    '--upstream',
    ['routes', 0, 'upstream'],
    flags.upstream === undefined ? undefined : { url: flags.upstream },
  );
  push('--profile', ['routes', 0, 'profile'], flags.profile);
  for (const [tool, names] of readElicits(flags.elicits ?? [], problems)) {
    push('--elicits', ['routes', 0, 'tools', tool, 'elicits'], names);
  }
  return overlays;
}

function readElicits(texts: readonly string[], problems: Problem[]): ReadonlyMap<string, readonly string[]> {
  const tools = new Map<string, readonly string[]>();
  for (const text of texts) {
    const split = text.lastIndexOf('=');
    const names = text
      .slice(split + 1)
      .split(',')
      .map((name) => name.trim());
    const tool = text.slice(0, Math.max(split, 0));
    if (tool === '' || tool === '__proto__' || names.includes(''))
      problems.push({
        path: '--elicits',
        message: 'expected TOOL=ARG[,ARG], for example ze_execute=command',
      });
    else tools.set(tool, [...(tools.get(tool) ?? []), ...names]);
  }
  return tools;
}
