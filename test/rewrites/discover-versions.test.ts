import { describe, expect, it } from 'vitest';
import { rewritten, route } from './fixtures.js';

const POLICY = route(['discover-versions'], { versions: ['2026-07-28', '2025-11-25'] });

function rewrite(text: string, method = 'server/discover'): string {
  return rewritten(text, { method, policy: POLICY }).text;
}

describe('discover-versions', () => {
  it.each([
    ['["2026-07-28"]', '["2026-07-28"]'],
    ['["2025-06-18", "2026-07-28"]', '["2026-07-28"]'],
    ['[ "2025-11-25" , "2025-06-18" , "2026-07-28" ]', '[ "2025-11-25" , "2026-07-28" ]'],
    ['["2026\\u002d07-28", null, 7, ["2026-07-28"], "2024-11-05"]', '["2026\\u002d07-28"]'],
    ['[]', '[]'],
    ['"2024-11-05"', '"2024-11-05"'],
    ['null', 'null'],
  ])('names of the versions %s only those of the route', (versions, passing) => {
    const discovered = (list: string) => `{"id":1,"result":{"supportedVersions":${list},"capabilities":{}}}`;
    const refused = (list: string) =>
      `{"id":1,"error":{"code":-32022,"message":"","data":{"supported":${list}}}}`;
    expect(rewrite(discovered(versions))).toBe(discovered(passing));
    expect(rewrite(refused(versions), 'tools/call')).toBe(refused(passing));
    expect(rewrite(discovered(passing))).toBe(discovered(passing));
  });

  it('leaves the list empty when nothing is in common: a client then gives up instead of going round', () => {
    const text = '{"result":{"supportedVersions":["2024-11-05", "2025-03-26"]}}';
    expect(rewrite(text)).toBe('{"result":{"supportedVersions":[]}}');
  });

  it.each([
    ['{"result":{"supportedVersions":["2024-11-05"]}}', 'tools/list'],
    ['{"error":{"code":-32000,"message":"","data":{"supported":["2024-11-05"]}}}', 'server/discover'],
    ['{"error":{"code":-32022,"message":"","data":["2024-11-05"]}}', 'server/discover'],
    ['{"error":{"code":-32022,"message":""}}', 'server/discover'],
    ['{"error":null}', 'server/discover'],
    ['{"method":"x","params":{"supported":["2024-11-05"]}}', 'server/discover'],
    ['{"result":{}}', 'server/discover'],
    ['[]', 'server/discover'],
  ])('leaves %s in answer to %s', (text, method) => {
    expect(rewrite(text, method)).toBe(text);
  });
});
