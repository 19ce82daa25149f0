/** The compose file without an engine: against the schema of the format, and against the files that it mounts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../src/cli.js';
import { loadConfig } from '../../src/config/load.js';
import { execForm, readDockerfile } from './image.js';
import { expectEnough } from './memory.js';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly mem_limit?: string;
  readonly volumes?: readonly string[];
  readonly network_mode?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: readonly string[];
}

const FOLDER = 'deploy';
const SCHEMA = 'node_modules/dclint/schemas/compose.schema.json';
const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8'), { merge: true });
const compose = read('compose.yaml');
const services = compose.services as Readonly<Record<string, Service>>;
const all = Object.entries(services);
const gateways = all.filter(([name]) => name.startsWith('gateway-'));

const mounts = (service: Service | undefined) =>
  (service?.volumes ?? []).map((volume) => {
    const [source = '', target = '', mode = 'rw'] = volume.split(':');
    return { source, target, mode };
  });
/** Where a container finds a file of this repository. */
const mountOf = (service: Service | undefined, source: string) =>
  mounts(service).find((mount) => join(mount.source) === source)?.target;

describe('deploy/compose.yaml', () => {
  it('matches the schema of the Compose specification', () => {
    const { $schema: _, $id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
    validate({ ...compose, services: { ...services, typo: { image: 'x', read_onyl: true } } });
    expect(validate.errors).not.toBeNull();
  });

  it('builds the image from what is there', () => {
    for (const [, { build }] of gateways) {
      expect(build).toBeDefined();
      const context = join(FOLDER, build?.context ?? '');
      expect(existsSync(join(context, build?.dockerfile ?? ''))).toBe(true);
      expect(existsSync(join(context, 'package.json'))).toBe(true);
    }
  });

  it.each(all)(
    'mounts files of the repository that are there into %s, and lets it change none',
    (_, service) => {
      for (const { source, mode } of mounts(service)) {
        if (source in compose.volumes) continue;
        expect({ source, there: existsSync(join(FOLDER, source)), mode }).toEqual({
          source,
          there: true,
          mode: 'ro',
        });
      }
    },
  );

  it.each(all)('gives %s no capabilities and no way to more', (_, { cap_drop, security_opt }) => {
    expect({ cap_drop, security_opt }).toEqual({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('names no image by a tag that moves', () => {
    const images = all.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
    expect(images.filter((image) => !/:v?\d+\.\d+\.\d+$/.test(image ?? ''))).toEqual([]);
  });

  it('has everything listen on loopback, since all share the network of the host', () => {
    expect(all.filter(([, { network_mode }]) => network_mode !== 'host')).toEqual([]);
    const addresses = gateways.flatMap(([, { environment = {} }]) => [
      environment.MRTR_GATEWAY_LISTEN,
      environment.MRTR_GATEWAY_ADMIN,
    ]);
    const prometheus = services.prometheus?.command?.find((word) => word.startsWith('--web.listen-address='));
    addresses.push(prometheus?.split('=')[1], services.grafana?.environment?.GF_SERVER_HTTP_ADDR);
    expect(addresses.filter((address) => address?.split(':')[0] !== '127.0.0.1')).toEqual([]);
  });

  it('has Prometheus scrape the gateway and read the alerts', () => {
    const configuration = read('prometheus/prometheus.yml');
    const targets = configuration.scrape_configs[0].static_configs[0].targets;
    for (const [, { environment }] of gateways) expect(targets).toEqual([environment?.MRTR_GATEWAY_ADMIN]);
    const folder = mountOf(services.prometheus, 'prometheus');
    expect(services.prometheus?.command).toContain(`--config.file=${folder}/prometheus.yml`);
    for (const file of configuration.rule_files)
      expect(existsSync(join(FOLDER, 'prometheus', file))).toBe(true);
  });

  it('has Grafana load the dashboard and ask that Prometheus', () => {
    const { grafana, prometheus } = services;
    const [provider] = read('grafana/provisioning/dashboards/mrtr-gateway.yml').providers;
    expect(mountOf(grafana, 'grafana/dashboards')).toBe(provider.options.path);
    expect(mountOf(grafana, 'grafana/provisioning')).toBe('/etc/grafana/provisioning');
    const home = grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
    expect(existsSync(home.replace(provider.options.path, join(FOLDER, 'grafana/dashboards')))).toBe(true);
    const [source] = read('grafana/provisioning/datasources/prometheus.yml').datasources;
    const [, variable = ''] = /^\$\{(\w+)\}$/.exec(source.url) ?? [];
    const asked = new URL(grafana?.environment?.[variable] ?? '').host;
    expect(prometheus?.command).toContain(`--web.listen-address=${asked}`);
  });
});

describe('the gateways in deploy/compose.yaml', () => {
  it('are one for each profile', () => {
    expect(gateways.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['gateway-demo', ['demo']],
      ['gateway-ze', ['ze']],
    ]);
  });

  it.each(gateways)('%s has a file system that it cannot write to, and the time to drain', (_, service) => {
    expect(service.read_only).toBe(true);
    const { timeouts } = loadConfig({ flags: { config: 'deploy/ze/gateway.yaml' }, env: {} }).config;
    const graceMs = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1]) * 1000;
    expect(graceMs).toBeGreaterThan(timeouts.drainDelayMs + timeouts.drainMs);
  });

  it.each(gateways)('%s has memory for the worst that its limits let in', (_, service) => {
    const { limits } = loadConfig({ flags: { config: 'deploy/ze/gateway.yaml' }, env: {} }).config;
    const [, mebibytes] = /^(\d+)m$/.exec(service.mem_limit ?? '') ?? [];
    expectEnough(Number(mebibytes), service.environment?.NODE_OPTIONS, limits.bufferedBytes);
  });

  it.each(gateways)('%s is started with arguments that the binary takes', async (_, service) => {
    const image = readDockerfile('deploy/Dockerfile').getCMDs()[0];
    const words = service.command ?? execForm(image);
    const folder = mountOf(service, 'ze');
    const args = words.map((word) => (folder === undefined ? word : word.replace(folder, 'deploy/ze')));
    const started: unknown[] = [];
    const start = async ({ loaded }: { loaded: { config: { listen: string; admin: string } } }) => {
      started.push([loaded.config.listen, loaded.config.admin]);
      return 0;
    };
    const env = service.environment ?? {};
    expect(await run(args, { env, out: () => {}, err: () => {}, start })).toBe(0);
    expect(started).toEqual([[env.MRTR_GATEWAY_LISTEN, env.MRTR_GATEWAY_ADMIN]]);
  });
});
