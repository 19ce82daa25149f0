/** One run's client and upstream, and the subjects between them. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadOrder, LoadReport, UpstreamOrder } from '../parts/protocol.js';
import type { Site } from '../subjects/subject.js';
import { end, launchPart, nextMessage } from './processes.js';

export class Lab {
  readonly site: Site;
  readonly #client: ChildProcess;
  readonly #upstream: ChildProcess;

  private constructor(client: ChildProcess, upstream: ChildProcess, site: Site) {
    this.#client = client;
    this.#upstream = upstream;
    this.site = site;
  }

  static async open(resultText: string, profileFolder?: string): Promise<Lab> {
    const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-bench-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const client = await launchPart('client', 'load');
    const upstream = await launchPart('upstream', 'upstream');
    const site = { upstreamPort: Number(upstream.hello), folder, resultText, profileFolder };
    return new Lab(client.child, upstream.child, site);
  }

  /** Resolves to how many requests there were under the answers before. */
  async answer(answers: UpstreamOrder['answers']): Promise<number> {
    const requests = nextMessage<number>(this.#upstream);
    this.#upstream.send({ answers });
    return requests;
  }

  /** Sends, and throws when anything but the expected answers came. */
  async load(order: LoadOrder): Promise<LoadReport> {
    const report = await this.loadAnyhow(order);
    const faults = Object.entries(report.faults).map(([fault, times]) => `${times} × ${fault}`);
    if (faults.length > 0) throw new Error(`port ${order.port}: ${faults.join(', ')}`);
    return report;
  }

  async loadAnyhow(order: LoadOrder): Promise<LoadReport> {
    const reported = nextMessage<LoadReport>(this.#client);
    this.#client.send(order);
    return reported;
  }

  async close(): Promise<void> {
    await Promise.all([end(this.#client), end(this.#upstream)]);
    rmSync(this.site.folder, { recursive: true, force: true });
  }
}
