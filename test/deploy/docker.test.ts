/** The image without an engine: what the Dockerfile says, done in an empty folder, and its result run as a container is. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { From, Label } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callTool, FORM } from '../support/client.js';
import { describeIf, findProgram, IN_CI } from '../support/programs.js';
import { buildImage, execForm, type Image, readDockerfile, runAs, stagesOf } from './image.js';

const FILE = 'deploy/Dockerfile';
const dockerfile = readDockerfile(FILE);
const stages = stagesOf(dockerfile);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const IS_ROOT = process.getuid?.() === 0;
/** Who is not root has all of root's rights in a namespace of their own, and no other uid. */
const ISOLATE = ['--mount', '--pid', '--fork', '--kill-child', ...(IS_ROOT ? [] : ['--map-root-user'])];
const READ_ONLY = 'mount --make-rprivate / && mount -o bind,remount,ro /';

function last(keyword: string) {
  const [found] = stages.at(-1)?.instructions.filter((one) => one.getKeyword() === keyword) ?? [];
  return found;
}

/** Paths that COPY takes from the context. */
function copiedFromContext(): readonly string[] {
  return dockerfile
    .getCOPYs()
    .filter((copy) => copy.getFromFlag() === null)
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => argument.getValue());
}

describe('deploy/Dockerfile', () => {
  it('is a Dockerfile without a fault or a warning', () => {
    expect(validate(readFileSync(FILE, 'utf8'))).toEqual([]);
  });

  it('builds every stage on one image, pinned by its major, with which the package runs', () => {
    const froms = dockerfile.getFROMs() as readonly From[];
    expect(new Set(froms.map((from) => from.getImage()))).toEqual(new Set([stages[0]?.image]));
    expect(stages[0]?.image).toMatch(/^node:\d+-slim$/);
    const major = Number(/\d+/.exec(stages[0]?.image ?? '')?.[0]);
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]));
    expect(major % 2).toBe(0);
  });

  it('runs as a numbered user that is not root', () => {
    expect(last('USER')?.getArgumentsContent()).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  });

  it('starts node itself, so that signals reach it', () => {
    expect(execForm(last('ENTRYPOINT'))).toEqual(['node', '/app/dist/cli.js']);
    expect(execForm(last('CMD'))).toEqual(['serve', '--config', '/etc/mrtr-gateway/gateway.yaml']);
  });

  it('says by its labels what it is', () => {
    const labels = (last('LABEL') as Label).getProperties();
    const said = new Map(labels.map((label) => [label.getName(), label.getValue()]));
    expect(said.get('org.opencontainers.image.title')).toBe(manifest.name);
    expect(said.get('org.opencontainers.image.licenses')).toBe(manifest.license);
    expect(said.get('org.opencontainers.image.base.name')).toBe(`docker.io/library/${stages.at(-1)?.image}`);
  });

  it('exposes the ports that the image listens on', () => {
    const env = new Map(
      dockerfile.getENVs().flatMap((one) => one.getProperties().map((p) => [p.getName(), p.getValue()])),
    );
    const ports = ['MRTR_GATEWAY_LISTEN', 'MRTR_GATEWAY_ADMIN'].map((name) =>
      env.get(name)?.split(':').pop(),
    );
    expect(last('EXPOSE')?.getArgumentsContent()?.split(' ')).toEqual(ports);
  });

  it('is given by .dockerignore what it copies, and nothing else', () => {
    const lines = readFileSync('.dockerignore', 'utf8').split('\n');
    const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(patterns[0]).toBe('*');
    const taken = patterns.slice(1).map((line) => line.replace(/^!/, ''));
    expect(taken.toSorted()).toEqual([...new Set(copiedFromContext())].toSorted());
    expect(patterns.slice(1).every((line) => line.startsWith('!'))).toBe(true);
  });
});

const REACHED = ['setpriv', 'unshare', 'mount'].every((name) => findProgram(name) !== undefined);
const CAN_ISOLATE = REACHED && spawnSync('unshare', [...ISOLATE, 'sh', '-c', READ_ONLY]).status === 0;
const ABSENCE = 'unshare from util-linux, or the right to make namespaces, is missing';

/** What npm says when the registry, or the way to it, is not there. */
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/;

describeIf(CAN_ISOLATE, ABSENCE, 'what deploy/Dockerfile builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-image-'));
  const running = new Set<ChildProcess>();
  const uid = last('USER')?.getArgumentsContent()?.split(':')[0] ?? '';
  let image: Image;
  let absence: string | undefined;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    if (IS_ROOT) chownSync(folder, Number(uid), Number(uid));
    const run = runAs(IS_ROOT ? uid : undefined, folder);
    const own = (path: string) => IS_ROOT && execFileSync('chown', ['-R', `${uid}:${uid}`, path]);
    try {
      image = await buildImage(dockerfile, { context: '.', folder, run, own });
    } catch (error) {
      if (IN_CI || !UNREACHABLE.test(String(error))) throw error;
      absence = 'the package registry cannot be reached';
      return;
    }
    if (IS_ROOT) execFileSync('chown', ['-R', 'root:root', image.root]);
  }, 600_000);

  beforeEach(({ skip }) => skip(absence !== undefined, absence));

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }, 300_000);

  /** The words of an image's command with its paths where they are here. */
  const located = (words: readonly string[]) =>
    words.map((word, n) => {
      if (n === 0 && word === 'node') return process.execPath;
      return word.startsWith('/app') ? join(image.root, word) : word;
    });

  /** As an engine would with --read-only: its own process tree, nothing to write to, the image's user, nothing else. */
  function contain(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const unwritable = `! touch ${join(image.root, 'app/x')} 2>/dev/null`;
    const drop = ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', '--no-new-privs'];
    const script = `${READ_ONLY} && ${unwritable} && exec "$@"`;
    const args = [...ISOLATE, 'sh', '-c', script, 'sh', ...(IS_ROOT ? drop : []), ...located(words)];
    const child = spawn('unshare', args, {
      cwd: join(image.root, image.folder),
      env: { PATH: process.env.PATH, ...image.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    return child;
  }

  it('holds the build and what it needs to run, no development dependency and no sources', () => {
    const app = join(image.root, 'app');
    expect(readdirSync(app).toSorted()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json']);
    const installed = (name: string) => existsSync(join(app, 'node_modules', name));
    expect(Object.keys(manifest.dependencies).filter((name) => !installed(name))).toEqual([]);
    expect(Object.keys(manifest.devDependencies).filter(installed)).toEqual([]);
  });

  it('knows the revision that it was built from', () => {
    const { gitHead } = JSON.parse(readFileSync(join(image.root, 'app/package.json'), 'utf8'));
    expect(gitHead).toBe('unknown');
  });

  it('ends with 2 when no configuration is mounted', async () => {
    const child = contain([...image.entrypoint, ...image.command]);
    const said: string[] = [];
    child.stderr?.on('data', (text) => said.push(String(text)));
    const [code] = await once(child, 'close');
    expect({ code, said: said.join('') }).toEqual({
      code: 2,
      said: expect.stringContaining('/etc/mrtr-gateway/gateway.yaml'),
    });
  });

  it('serves as process 1 on a read-only file system, is healthy, and ends with 0 on SIGTERM', async () => {
    const free = { MRTR_GATEWAY_LISTEN: '127.0.0.1:0', MRTR_GATEWAY_ADMIN: '127.0.0.1:0' };
    const child = contain([...image.entrypoint, 'demo'], free);
    const { url, adminUrl } = await listening(child);
    const inner = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    const status = readFileSync(`/proc/${inner}/status`, 'utf8');
    expect(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]).toBe('1');
    if (IS_ROOT) expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe(uid);

    const { message } = await callTool(url, 'ze_execute', {}, { capabilities: FORM });
    expect(message.result.resultType).toBe('input_required');

    const [program = '', ...words] = located(image.healthcheck);
    const env = { ...image.env, MRTR_GATEWAY_ADMIN: new URL(adminUrl).host };
    expect(spawnSync(program, words, { env }).status).toBe(0);
    process.kill(Number(inner), 'SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(spawnSync(program, words, { env }).status).toBe(1);
  });
});

/** The addresses in the line that says so; rejects with the output when the process ends before. */
function listening(child: ChildProcess): Promise<{ url: string; adminUrl: string }> {
  if (child.stdout === null || child.stderr === null) throw new Error('no output to read');
  const said: string[] = [];
  child.stderr.on('data', (text) => said.push(String(text)));
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', (line) => {
      said.push(line);
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line));
    });
    child.once('close', (code) => reject(new Error(`ended with ${code}\n${said.join('\n')}`)));
  });
}
