/** THE configuration: one schema, from which types, checks, variable names, docs/config.md and the editor schema come. */
import { z } from 'zod';
import { addressFault, hostFault, networkFault } from './address.js';
import { originFault, publicUrlFault } from './formats.js';
import { route } from './route-schema.js';
import { seal } from './seal-schema.js';
import { bytes, count, list, milliseconds, text, unsetText } from './values.js';

const limits = z.strictObject({
  requestBytes: bytes(4_194_304).describe('Largest request body.'),
  responseBytes: bytes(16_777_216).describe('Largest JSON answer of an upstream, uncompressed.'),
  eventBytes: bytes(16_777_216).describe('Largest event of a stream.'),
  bufferedBytes: z
    .int()
    .min(1024)
    .max(68_719_476_736)
    .default(268_435_456)
    .describe(
      'Bytes held for judging, and what long messages among them become while they are read, all exchanges together.',
    ),
  exchanges: count(1024).describe('Exchanges in flight at once.'),
  streams: count(10_000).describe('Event streams open at once.'),
  socketsPerClient: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(16_384)
    .describe('Connections from one client address, those in `trustedProxies` left out; 0: no limit.'),
  headerBytes: z.int().min(4096).max(1_048_576).default(32_768).describe('Largest head of a request.'),
});

const timeouts = z.strictObject({
  requestMs: milliseconds(30_000).describe('For a client to send its whole request; 0: no limit.'),
  connectMs: milliseconds(5_000).describe('For the connection to an upstream; 0: no limit.'),
  headersMs: milliseconds(900_000).describe('For an upstream to begin its answer; 0: no limit.'),
  bodyIdleMs: milliseconds(60_000).describe('Longest pause within a JSON answer; 0: no limit.'),
  streamIdleMs: milliseconds(0).describe('Longest silence of a stream; 0: no limit.'),
  ssePingMs: milliseconds(15_000).describe(
    'Silence after which a stream gets a comment to keep it alive; 0: none.',
  ),
  keepAliveTimeoutMs: milliseconds(65_000).describe(
    'How long an idle client connection stays open; 0: no limit.',
  ),
  drainDelayMs: milliseconds(0).describe('On SIGTERM: from being not ready to taking no new connection.'),
  drainMs: milliseconds(30_000, 1).describe('On SIGTERM: for exchanges in flight to finish.'),
});

const log = z.strictObject({
  level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe log lines that are written.'),
  audit: z.boolean().default(true).describe('One audit line an exchange.'),
});

export const configSchema = z.strictObject({
  listen: text(addressFault)
    .default('127.0.0.1:9719')
    .describe('Where clients connect, HOST:PORT; port 0 picks a free one. A change needs a restart.'),
  admin: text(addressFault)
    .default('127.0.0.1:9720')
    .describe('Where /metrics, /healthz and /readyz are served, HOST:PORT. A change needs a restart.'),
  publicUrl: unsetText(publicUrlFault).describe(
    'How clients see the gateway: its origin and host are allowed.',
  ),
  allowedOrigins: list(originFault).describe(
    'Browser origins that may call, as browsers send them (https://app.example.com).',
  ),
  allowedHosts: list(hostFault).describe(
    'Further Host values that requests may carry, with a port or, for any port, without.',
  ),
  trustedProxies: list(networkFault).describe(
    'IP addresses and networks (10.0.0.0/8) whose X-Forwarded-* fields are continued, not written anew.',
  ),
  routes: z.array(route).min(1).describe('The MCP servers that the gateway stands in front of.'),
  seal: seal.prefault({}).describe('How `requestState: seal` seals.'),
  limits: limits.prefault({}).describe('Bytes and counts; what exceeds one is refused.'),
  timeouts: timeouts.prefault({}).describe('Milliseconds.'),
  log: log.prefault({}).describe('Log lines on stdout, in JSON.'),
});

/** What may be written: every key but `routes[].upstream` can be left out. */
export type ConfigInput = z.input<typeof configSchema>;
/** A checked configuration with every default in place. */
export type Config = z.output<typeof configSchema>;
