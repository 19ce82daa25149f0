/** What comes through, what the rules make of it, and what users are asked. */
import type { Panel } from './format.js';
import {
  DOCS,
  graph,
  increase,
  METRICS,
  OUTCOME_COLORS,
  PROCESS,
  quantile,
  quantiles,
  RISING,
  ROUTE,
  RULES,
  rate,
  runbook,
  share,
  stat,
  THIS_RULE,
} from './queries.js';

export const GLANCE: readonly Panel[] = [
  stat('Ready replicas', 'Replicas that take new traffic.', `sum(mrtr_gateway_ready{${PROCESS}})`, {
    thresholds: [
      [0, 'red'],
      [1, 'green'],
    ],
    links: [runbook('MrtrGatewayNotReady')],
  }),
  stat('Exchanges', 'POSTs answered each second.', `sum(${rate('exchanges_total', ROUTE)})`, {
    unit: 'reqps',
  }),
  stat('Refused', 'Share of exchanges that a rule refused.', share('refused_inbound|refused_outbound'), {
    unit: 'percentunit',
    max: 1,
    thresholds: RISING(0.01, 0.05),
    links: [runbook('MrtrGatewayRefusalsJumped')],
  }),
  stat('Failed at the upstream', 'Share of exchanges that the upstream failed.', share('upstream_failed'), {
    unit: 'percentunit',
    max: 1,
    thresholds: RISING(0.01, 0.05),
    links: [runbook('MrtrGatewayUpstreamFailing')],
  }),
  stat(
    'Total time, p99',
    'Until the end of the reply, streams of subscriptions left out.',
    quantile(0.99, 'exchange_duration_seconds'),
    {
      unit: 's',
    },
  ),
  stat('Open streams', 'Event streams open to clients.', `sum(mrtr_gateway_streams_open{${ROUTE}})`, {}),
];

export const TRAFFIC: readonly Panel[] = [
  graph(
    'Exchanges by method',
    'Methods that are neither the revision’s nor the Tasks extension’s count as other.',
    'reqps',
    [{ expr: `sum by (method) (${rate('exchanges_total', ROUTE)}) > 0`, legend: '{{method}}' }],
    { stacked: true },
  ),
  graph(
    'Exchanges by outcome',
    'What became of them. refused_inbound: the client’s message broke a rule; refused_outbound: the server’s answer did.',
    'reqps',
    [{ expr: `sum by (outcome) (${rate('exchanges_total', ROUTE)}) > 0`, legend: '{{outcome}}' }],
    { stacked: true, colors: OUTCOME_COLORS },
  ),
  {
    type: 'table',
    title: 'Methods and outcomes',
    description: 'Exchanges in the chosen time, for each route, method and outcome.',
    unit: 'short',
    queries: [
      {
        expr: `sort_desc(round(sum by (route, method, outcome) (${increase('exchanges_total', ROUTE)})) > 0)`,
        legend: '',
      },
    ],
    width: 24,
    links: [METRICS],
  },
];

function findings(title: string, description: string, labels: string): Panel {
  const expr = `sum by (rule) (${rate('findings_total', `${ROUTE},${labels}`)}) > 0`;
  return graph(title, description, 'cps', [{ expr, legend: '{{rule}}' }], {
    links: [RULES],
    seriesLinks: [THIS_RULE],
  });
}

export const REFUSALS: readonly Panel[] = [
  findings(
    'Refusals of clients, by rule',
    'What came from clients and was refused before it reached the upstream.',
    'stage=~"admit|parse|inbound",severity="enforce"',
  ),
  findings(
    'Refusals of servers, by rule',
    'What came from servers and was refused or dropped before it reached a client. form-asks-no-credential and no-server-request are news.',
    'stage="outbound",severity="enforce"',
  ),
  findings(
    'Report-only findings, by rule',
    'Violations that passed: rules that only report, softened rules, and routes in mode report.',
    'severity="report"',
  ),
  graph('Rewrites', 'Messages that the gateway changed.', 'cps', [
    { expr: `sum by (rewrite) (${rate('rewrites_total', ROUTE)}) > 0`, legend: '{{rewrite}}' },
  ]),
];

const ANSWER_NAMES = [
  ['accept', 'Accepted'],
  ['decline', 'Declined'],
  ['cancel', 'Cancelled'],
  ['other', 'Answered without an action'],
  ['omitted', 'Omitted'],
] as const;

export const MRTR: readonly Panel[] = [
  {
    type: 'bargauge',
    title: 'From question to answer',
    description:
      'Input requests that reached clients in the chosen time, and what came back. What is missing was never answered; omitted means a retry without answers.',
    unit: 'short',
    queries: [
      { expr: `sum(${increase('input_requests_total', ROUTE)})`, legend: 'Asked' },
      ...ANSWER_NAMES.map(([action, legend]) => ({
        expr: `sum(${increase('input_responses_total', `${ROUTE},action="${action}"`)})`,
        legend,
      })),
    ],
    width: 12,
    links: [METRICS],
  },
  graph(
    'Input requests by kind',
    'What servers asked users and clients for, and rules let through.',
    'cps',
    [{ expr: `sum by (kind) (${rate('input_requests_total', ROUTE)})`, legend: '{{kind}}' }],
    { links: [RULES] },
  ),
  graph(
    'Answers by action',
    'What came back with retries.',
    'cps',
    [{ expr: `sum by (action) (${rate('input_responses_total', ROUTE)})`, legend: '{{action}}' }],
    { links: [RULES] },
  ),
  graph(
    'Request states',
    'States that left for clients, and what was made of those that came back. All verdicts but accepted and relayed are refusals.',
    'cps',
    [
      { expr: `sum(${rate('request_states_issued_total', ROUTE)})`, legend: 'issued' },
      {
        expr: `sum by (verdict) (${rate('request_states_received_total', ROUTE)}) > 0`,
        legend: '{{verdict}}',
      },
    ],
    {
      links: [
        { title: 'request-state-accepted', url: `${DOCS}/rules.md#request-state-accepted` },
        runbook('MrtrGatewayBadRequestStates'),
      ],
    },
  ),
  graph(
    'Time to answer',
    'From a question to its answer, on routes that seal states: how long people take.',
    's',
    quantiles('input_response_delay_seconds'),
  ),
  graph(
    'Rounds per operation',
    'How often an operation asked before it ended, on routes that seal states.',
    'short',
    quantiles('operation_rounds'),
  ),
];

export const CALLERS: readonly Panel[] = [
  graph(
    'Callers who were not let in',
    'On routes that authenticate. unavailable: the keys of the authorization server could not be had.',
    'cps',
    [{ expr: `sum by (denial) (${rate('callers_denied_total', ROUTE)})`, legend: '{{denial}}' }],
    { links: [METRICS, runbook('MrtrGatewayTokensUnchecked')] },
  ),
  stat(
    'Replicas with a key of their own',
    'They seal states with a key that no other replica has: rounds that reach another replica are refused.',
    `sum(mrtr_gateway_seal_key_ephemeral{${PROCESS}})`,
    { width: 6, thresholds: RISING(1, 2), links: [runbook('MrtrGatewayEphemeralKeys')] },
  ),
];
