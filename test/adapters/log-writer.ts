/** Logs lines to stdout and ends in the way that it is told: a process of its own for log.test.ts. */
import { createLog } from '../../src/adapters/log.js';

const [ending, lines = '20000'] = process.argv.slice(2);
const log = createLog({ level: 'info', pretty: ending === 'pretty', fd: 1 });
process.once('exit', () => log.flushSync());
const text = ending === 'exit-while-writing-long' ? 'é€'.repeat(30) : 'a line';
for (let line = 0; line < Number(lines); line += 1) log.logger.info({ line }, text);

switch (ending) {
  case 'throw':
    throw new Error('a crash');
  case 'exit':
  case 'pretty':
    process.exit(0);
    break;
  case 'exit-while-writing':
    setTimeout(() => process.exit(0), 25);
    break;
  case 'exit-while-writing-long':
    // Both timers are due by then: the one that writes comes first, and nothing between them.
    setTimeout(() => process.exit(0), 25);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    break;
  case 'flush':
    await log.flush(2000);
    process.stderr.write('flushed');
    process.exit(0);
    break;
  case 'audit':
    log.setLevel('fatal');
    log.logger.error('not written');
    log.audit.write('{"audited":true}\n');
    break;
  case 'go-on':
    // Until the parent has closed its end of the pipe.
    process.stdin.once('data', async () => {
      log.logger.info('into nothing');
      await log.flush(2000);
      log.logger.info('again');
      await log.flush(60_000);
      process.stderr.write('alive');
      process.exit(0);
    });
    break;
  default:
}
