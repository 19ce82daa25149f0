/** Manifests against the schemas of the Kubernetes API and of the Prometheus operator. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Resource } from './kustomize.js';

const require = createRequire(import.meta.url);
const API = 'node_modules/kubernetes-models/_schemas';
const OPERATOR = 'node_modules/@kubernetes-models/prometheus-operator/_schemas';

/** By apiVersion and kind: the compiled schema. */
const SCHEMAS = new Map([
  ['v1 ConfigMap', `${API}/IoK8sApiCoreV1ConfigMap.js`],
  ['v1 Namespace', `${API}/IoK8sApiCoreV1Namespace.js`],
  ['v1 Service', `${API}/IoK8sApiCoreV1Service.js`],
  ['apps/v1 Deployment', `${API}/IoK8sApiAppsV1Deployment.js`],
  ['autoscaling/v2 HorizontalPodAutoscaler', `${API}/IoK8sApiAutoscalingV2HorizontalPodAutoscaler.js`],
  ['networking.k8s.io/v1 NetworkPolicy', `${API}/IoK8sApiNetworkingV1NetworkPolicy.js`],
  ['policy/v1 PodDisruptionBudget', `${API}/IoK8sApiPolicyV1PodDisruptionBudget.js`],
  ['monitoring.coreos.com/v1 PrometheusRule', `${OPERATOR}/MonitoringCoreosComV1PrometheusRule.js`],
  ['monitoring.coreos.com/v1 ServiceMonitor', `${OPERATOR}/MonitoringCoreosComV1ServiceMonitor.js`],
]);

interface Validate {
  (data: unknown): boolean;
  readonly errors:
    | readonly { readonly instancePath: string; readonly message?: string; readonly keyword: string }[]
    | null;
}

/** What is wrong with a manifest: what its schema says, and every field that its schema does not know. */
export function faultsOf(resource: Resource): readonly string[] {
  const file = SCHEMAS.get(`${resource.apiVersion} ${resource.kind}`);
  if (file === undefined) return [`there is no schema for ${resource.apiVersion} ${resource.kind}`];
  const { validate } = require(resolve(file)) as { validate: Validate };
  const unread = new Set<string>();
  if (!validate(watch(resource, '', unread)))
    return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`);
  return [...unread].map((path) => `${path}: unknown`);
}

/**
 * The API server refuses unknown fields, and these schemas are open: so a field is known when the schema looked at it.
 * `unread` holds the paths of those that it has not looked at yet.
 */
function watch(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inner = new Map(
    Object.entries(value).map(([name, one]) => {
      const place = `${path}/${name}`;
      unread.add(place);
      return [name, { place, one: watch(one, place, unread) }] as const;
    }),
  );
  return new Proxy(value, {
    get: (target, name) => {
      const known = typeof name === 'string' ? inner.get(name) : undefined;
      if (known === undefined) return Reflect.get(target, name);
      unread.delete(known.place);
      return known.one;
    },
  });
}
