/** The manifests without a cluster: against the schemas of the API, and against each other, the image and the configuration. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load.js';
import { generateKey } from '../../src/seal/key.js';
import { execForm, readDockerfile } from './image.js';
import { faultsOf } from './kubernetes-schemas.js';
import { build, type Resource, readManifests } from './kustomize.js';
import { expectEnough } from './memory.js';

const FOLDER = 'deploy/kubernetes';
const OVERLAYS = ['standalone', 'sidecar'];
const LABELS = { 'app.kubernetes.io/name': 'mrtr-gateway' };

// biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
type Any = any;

const byKind = (resources: readonly Resource[], kind: string, name = 'mrtr-gateway'): Any =>
  resources.find((one) => one.kind === kind && one.metadata.name === name);

/** The files of a folder that hold resources: neither kustomizations, nor patches, nor the gateway's own configuration. */
const resourceFiles = (folder: string): readonly string[] =>
  parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')).resources.filter((name: string) =>
    /\.yaml$/.test(name),
  );

describe.each(['base', ...OVERLAYS.map((name) => join('overlays', name))])('deploy/kubernetes/%s', (name) => {
  const folder = join(FOLDER, name);
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));

  it('has every file that it names, and names every file that it has', () => {
    const named = [
      ...resourceFiles(folder),
      ...(kustomization.patches ?? []).map(({ path }: { path: string }) => path),
      ...(kustomization.configMapGenerator ?? []).flatMap(({ files }: { files: string[] }) => files),
    ];
    expect(
      readdirSync(folder)
        .filter((file) => file !== 'kustomization.yaml')
        .toSorted(),
    ).toEqual(named.toSorted());
  });

  it.each(resourceFiles(folder))('has in %s what the schema of its kind knows', (file) => {
    expect(readManifests(join(folder, file)).flatMap(faultsOf)).toEqual([]);
  });
});

describe('the check against schemas', () => {
  const deployment = () => structuredClone(byKind(build(join(FOLDER, 'overlays/standalone')), 'Deployment'));
  const container = (change: (container: Any) => void) => {
    const changed = deployment();
    change(changed.spec.template.spec.containers[0]);
    return faultsOf(changed);
  };

  it.each([
    [
      'a field that is misspelt',
      (one: Any) => Object.assign(one, { readinesProbe: {} }),
      '/readinesProbe: unknown',
    ],
    [
      'a field in the wrong place',
      (one: Any) => Object.assign(one.securityContext, { cpu: '1' }),
      '/securityContext/cpu: unknown',
    ],
    [
      'a value of another type',
      (one: Any) => Object.assign(one.ports[0], { containerPort: 'mcp' }),
      '/ports/0/containerPort: type',
    ],
    [
      'a quantity that is none',
      (one: Any) => Object.assign(one.resources.limits, { memory: '1 gig' }),
      '/resources/limits/memory: format',
    ],
    ['a required field that is missing', (one: Any) => delete one.name, ': required'],
  ])('finds %s', (_, change, fault) => {
    expect(container(change).map((found) => found.replace('/spec/template/spec/containers/0', ''))).toContain(
      fault,
    );
  });
});

describe.each(OVERLAYS)('the overlay %s, built', (overlay) => {
  const folder = join(FOLDER, 'overlays', overlay);
  const resources = build(folder);
  const deployment = byKind(resources, 'Deployment');
  const pod = deployment.spec.template.spec;
  const [gateway] = pod.containers;
  const { config } = loadConfig({
    flags: { config: join(folder, 'gateway.yaml') },
    env: {},
    readFile: (file) => (file.endsWith('.key') ? generateKey() : readFileSync(file, 'utf8')),
  });
  const image = readDockerfile('deploy/Dockerfile');

  it('has the parts that it should have', () => {
    const kinds = resources.map(({ kind }) => kind).filter((kind) => kind !== 'Namespace');
    expect(kinds.toSorted()).toEqual([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget'],
      ...['Service', 'Service', 'ServiceMonitor'],
    ]);
  });

  it.each(resources.map((one) => [one.kind, one.metadata.name, one] as const))(
    'has a %s %s that the schema of its kind knows',
    (_, __, resource) => {
      expect(faultsOf(resource)).toEqual([]);
    },
  );

  it('puts everything into one namespace', () => {
    const named = resources
      .filter(({ kind }) => kind !== 'Namespace')
      .map(({ metadata }) => metadata.namespace);
    const [namespace] = resources.filter(({ kind }) => kind === 'Namespace');
    expect(new Set(named).size).toBe(1);
    if (namespace !== undefined) expect(named[0]).toBe(namespace.metadata.name);
    expect(config.allowedHosts).toContain(`mrtr-gateway.${named[0]}.svc`);
  });

  it('lets the pod security standard «restricted» hold', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])])
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    expect(gateway.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.volumes.filter((volume: Any) => volume.hostPath !== undefined)).toEqual([]);
  });

  it('has memory for the worst that its limits let in', () => {
    const [, gibibytes] = /^(\d+)Gi$/.exec(gateway.resources.limits.memory) ?? [];
    const options = gateway.env.find(({ name }: Any) => name === 'NODE_OPTIONS').value;
    expectEnough(Number(gibibytes) * 1024, options, config.limits.bufferedBytes);
    expect(config.limits.bufferedBytes).toBeGreaterThan(config.limits.responseBytes);
  });

  it('gives every container the memory that it may have', () => {
    for (const { resources: given } of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(given.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() });
      expect(given.limits.memory).toMatch(/i$/);
    }
  });

  it('starts the image on the configuration that is mounted, and on its ports', () => {
    expect(gateway.args).toEqual(execForm(image.getCMDs()[0]));
    const mounted = new Map(gateway.volumeMounts.map((mount: Any) => [mount.name, mount]));
    for (const { name, configMap, secret } of pod.volumes) {
      expect(mounted.get(name)).toMatchObject({ readOnly: true });
      expect(mounted.get(name)).not.toHaveProperty('subPath');
      if (configMap) expect(byKind(resources, 'ConfigMap', configMap.name)).toBeDefined();
      if (secret)
        expect(readFileSync('deploy/README.md', 'utf8')).toContain(`secret generic ${secret.secretName}`);
    }
    const data = byKind(resources, 'ConfigMap').data;
    const folderOf = (mount: Any) => mount.mountPath;
    expect(gateway.args).toContain(`${folderOf(mounted.get('config'))}/${Object.keys(data)[0]}`);
    const written = parse(data['gateway.yaml']);
    expect(written.seal.keys[0].file).toBe(`${folderOf(mounted.get('seal'))}/seal.key`);
    const env = image.getENVs().flatMap((one) => one.getProperties());
    const port = (name: string) =>
      env
        .find((one) => one.getName() === name)
        ?.getValue()
        ?.split(':')[1];
    const ports = new Map(gateway.ports.map((one: Any) => [one.name, String(one.containerPort)]));
    expect(ports).toEqual(
      new Map([
        ['mcp', port('MRTR_GATEWAY_LISTEN')],
        ['admin', port('MRTR_GATEWAY_ADMIN')],
      ]),
    );
    expect(written).not.toHaveProperty('listen');
  });

  it('probes the admin listener', () => {
    const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((name) => gateway[name].httpGet);
    expect(paths.map(({ port, path }) => [port, path])).toEqual([
      ['admin', '/readyz'],
      ['admin', '/readyz'],
      ['admin', '/healthz'],
    ]);
  });

  it('waits for a drain to end, which begins when the cluster knows', () => {
    const { drainDelayMs, drainMs } = config.timeouts;
    expect(drainDelayMs).toBeGreaterThan(0);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainDelayMs + drainMs);
  });

  it('selects the pods by what they are labelled with', () => {
    expect(deployment.spec.template.metadata.labels).toMatchObject(LABELS);
    expect(deployment.spec.selector.matchLabels).toEqual(LABELS);
    expect(byKind(resources, 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(LABELS);
    expect(byKind(resources, 'NetworkPolicy').spec.podSelector.matchLabels).toEqual(LABELS);
    for (const { labelSelector } of pod.topologySpreadConstraints)
      expect(labelSelector.matchLabels).toEqual(LABELS);
    for (const name of ['mrtr-gateway', 'mrtr-gateway-admin'])
      expect(byKind(resources, 'Service', name).spec.selector).toEqual(LABELS);
    expect(byKind(resources, 'HorizontalPodAutoscaler').spec.scaleTargetRef).toEqual({
      apiVersion: deployment.apiVersion,
      kind: deployment.kind,
      name: deployment.metadata.name,
    });
    expect(deployment.spec).not.toHaveProperty('replicas');
  });

  it('has each Service, and each rule of the network policy, lead to a port that is there', () => {
    const names = gateway.ports.map(({ name }: Any) => name);
    for (const name of ['mrtr-gateway', 'mrtr-gateway-admin'])
      for (const { targetPort } of byKind(resources, 'Service', name).spec.ports)
        expect(names).toContain(targetPort);
    const { ingress } = byKind(resources, 'NetworkPolicy').spec;
    expect(ingress.flatMap(({ ports }: Any) => ports.map(({ port }: Any) => port))).toEqual(names);
  });

  it('has Prometheus find the admin Service, under a job that the alerts know', () => {
    const monitor = byKind(resources, 'ServiceMonitor').spec;
    const admin = byKind(resources, 'Service', 'mrtr-gateway-admin');
    expect(admin.metadata.labels).toMatchObject(monitor.selector.matchLabels);
    expect(byKind(resources, 'Service').metadata.labels).not.toMatchObject(monitor.selector.matchLabels);
    expect(admin.spec.ports.map(({ name }: Any) => name)).toContain(monitor.endpoints[0].port);
    expect(admin.metadata.labels[monitor.jobLabel]).toContain('mrtr-gateway');
  });
});

describe('the standalone overlay', () => {
  const resources = build(join(FOLDER, 'overlays/standalone'));

  it('may reach the server of its configuration, and names by DNS', () => {
    const { policyTypes, egress } = byKind(resources, 'NetworkPolicy').spec;
    expect(policyTypes).toContain('Egress');
    const { upstream } = parse(byKind(resources, 'ConfigMap').data['gateway.yaml']).routes[0];
    const [service, namespace] = new URL(upstream).hostname.split('.');
    const to = egress.flatMap((rule: Any) =>
      rule.to.map((peer: Any) => [peer, rule.ports.map(({ port }: Any) => port)]),
    );
    expect(to).toContainEqual([
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        podSelector: { matchLabels: { 'app.kubernetes.io/name': service } },
      },
      [Number(new URL(upstream).port)],
    ]);
    expect(to.some(([, ports]: Any) => ports.includes(53))).toBe(true);
  });
});

describe('the sidecar overlay', () => {
  const resources = build(join(FOLDER, 'overlays/sidecar'));
  const pod = byKind(resources, 'Deployment').spec.template.spec;

  it('has the server there before the gateway comes and until it has gone', () => {
    expect(pod.initContainers).toMatchObject([{ name: 'server', restartPolicy: 'Always' }]);
    expect(pod.containers).toHaveLength(1);
  });

  it('reaches the server on loopback alone, where it is told to listen', () => {
    const { upstream } = parse(byKind(resources, 'ConfigMap').data['gateway.yaml']).routes[0];
    expect(new URL(upstream).hostname).toBe('127.0.0.1');
    expect(pod.initContainers[0].args).toContain(new URL(upstream).host);
    expect(pod.initContainers[0]).not.toHaveProperty('ports');
  });

  it('leaves to the server what it reaches', () => {
    const { policyTypes, egress } = byKind(resources, 'NetworkPolicy').spec;
    expect({ policyTypes, egress }).toEqual({ policyTypes: ['Ingress'], egress: undefined });
  });

  it('scales by the load of the gateway, not of the server', () => {
    const [metric] = byKind(resources, 'HorizontalPodAutoscaler').spec.metrics;
    expect(metric.containerResource.container).toBe(pod.containers[0].name);
  });
});

describe('the alerts in a cluster', () => {
  it('come from the file of Prometheus by the command of deploy/README.md', () => {
    const readme = readFileSync('deploy/README.md', 'utf8');
    const [, script = ''] = /^(\{ printf [\s\S]*?rules\.yml; \}) \|$/m.exec(readme) ?? [];
    expect(script).not.toBe('');
    const text = execFileSync('sh', ['-e', '-c', script], { encoding: 'utf8' });
    const [rule] = parseAllDocuments(text).map((document) => document.toJS() as Any);
    expect(faultsOf(rule)).toEqual([]);
    expect(rule.spec).toEqual(parse(readFileSync('deploy/prometheus/rules.yml', 'utf8')));
  });
});
