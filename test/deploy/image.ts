/** Does what a Dockerfile says in an empty folder instead of an engine: as much of it as deploy/Dockerfile needs. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Copy,
  type Dockerfile,
  DockerfileParser,
  type Env,
  type From,
  type Healthcheck,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';

const execute = promisify(execFile);

export interface Stage {
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/** What an image is started with. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly user: string;
  readonly folder: string;
}

export function readDockerfile(file: string): Dockerfile {
  return DockerfileParser.parse(readFileSync(file, 'utf8'));
}

export function stagesOf(dockerfile: Dockerfile): readonly Stage[] {
  const stages: { name: string; image: string; instructions: Instruction[] }[] = [];
  for (const instruction of dockerfile.getInstructions()) {
    if (instruction.getKeyword() !== 'FROM') stages.at(-1)?.instructions.push(instruction);
    else {
      const from = instruction as From;
      const name = from.getBuildStage() ?? String(stages.length);
      stages.push({ name, image: from.getImage() ?? '', instructions: [] });
    }
  }
  return stages;
}

/** The words of an instruction in exec form; none when it is in shell form. */
export function execForm(instruction: Instruction | undefined): readonly string[] {
  const strings = (instruction as JSONInstruction | undefined)?.getJSONStrings?.() ?? [];
  return strings.map((string) => string.getJSONValue());
}

/** Runs a command of the build; `cwd` is the folder of the stage that stands for the image's. */
export type RunCommand = (
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
) => Promise<void>;

/** How this machine reaches the package registry, where that takes something. */
const WAY_OUT = [
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'npm_config_registry',
];

export function runAs(uid: string | undefined, home: string): RunCommand {
  return async (command, cwd, env) => {
    const shell = ['sh', '-e', '-c', command];
    const drop = ['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--no-new-privs'];
    const [program = '', ...args] = uid === undefined ? shell : [...drop, ...shell];
    const way = Object.fromEntries(
      WAY_OUT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const own = { PATH: process.env.PATH ?? '', HOME: home, npm_config_cache: join(home, 'cache') };
    try {
      await execute(program, args, { cwd, env: { ...way, ...own, ...env }, maxBuffer: 1 << 26 });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`RUN ${command}\n${stdout}${stderr}`);
    }
  };
}

export interface BuildOptions {
  readonly context: string;
  /** Where the stages are built, one folder each. */
  readonly folder: string;
  readonly run: RunCommand;
  /** Gives a path with all below it to whom commands run as. */
  readonly own: (path: string) => void;
}

/** Builds every stage in order; the last one is the image. */
export async function buildImage(dockerfile: Dockerfile, options: BuildOptions): Promise<Image> {
  const roots = new Map<string, string>();
  let image: Image | undefined;
  for (const stage of stagesOf(dockerfile)) {
    const root = join(options.folder, stage.name);
    mkdirSync(root);
    roots.set(stage.name, root);
    image = await buildStage(stage, root, { ...options, roots });
  }
  if (image === undefined) throw new Error('the Dockerfile has no stage');
  return image;
}

interface Build extends BuildOptions {
  readonly roots: ReadonlyMap<string, string>;
}

async function buildStage(stage: Stage, root: string, build: Build): Promise<Image> {
  const env: Record<string, string> = {};
  const args: Record<string, string> = {};
  let folder = '/';
  for (const instruction of stage.instructions) {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    switch (instruction.getKeyword()) {
      case 'WORKDIR':
        folder = words[0] ?? '/';
        mkdirSync(join(root, folder), { recursive: true });
        build.own(root);
        break;
      case 'ARG': {
        const [name = '', value = ''] = (words[0] ?? '').split('=');
        args[name] = value;
        break;
      }
      case 'ENV':
        for (const property of (instruction as Env).getProperties())
          env[property.getName()] = property.getValue() ?? '';
        break;
      case 'COPY':
        copy(instruction as Copy, words, join(root, folder), build);
        break;
      case 'RUN':
        await build.run(instruction.getArgumentsContent() ?? '', join(root, folder), { ...args, ...env });
        break;
    }
  }
  const last = (keyword: string) => stage.instructions.findLast((one) => one.getKeyword() === keyword);
  return {
    root,
    env,
    folder,
    entrypoint: execForm(last('ENTRYPOINT')),
    command: execForm(last('CMD')),
    healthcheck: healthcheckOf(last('HEALTHCHECK') as Healthcheck | undefined),
    user: last('USER')?.getArgumentsContent() ?? 'root',
  };
}

function copy(instruction: Copy, words: readonly string[], folder: string, build: Build): void {
  const from = instruction.getFromFlag()?.getValue();
  const source = from ? build.roots.get(from) : build.context;
  if (source === undefined) throw new Error(`COPY from a stage that is not there: ${from}`);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  for (const path of paths) {
    const to = target.endsWith('/') ? join(folder, target, basename(path)) : join(folder, target);
    if (from) {
      // A stage is done when another copies from it: its files can stand in both.
      execFileSync('cp', ['-al', join(source, path), to]);
    } else {
      cpSync(join(source, path), to, { recursive: true });
      build.own(to);
    }
  }
}

function healthcheckOf(instruction: Healthcheck | undefined): readonly string[] {
  const text = instruction?.getArgumentsContent() ?? '';
  const words: unknown = JSON.parse(/\bCMD\s+(\[.*\])\s*$/s.exec(text)?.[1] ?? '[]');
  return Array.isArray(words) ? words.map(String) : [];
}
