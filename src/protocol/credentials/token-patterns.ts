/** What a field's `pattern` gives away: issuers begin their keys and tokens with letters of their own. */

const BEGINNINGS = [
  String.raw`github_pat_|glpat-|gh(?:[oprsu][_|)]|\[[oprsu]{1,5}\]_)`,
  String.raw`xox(?:[abeoprs]|\[[abeoprs]{1,8}\])-|xapp-`,
  String.raw`(?:sk|rk)_\(?(?:\?:)?(?:live|test)|whsec_|shp(?:at|ss|ca|pa)_|dop_v1_|lin_api_|pypi-AgEI`,
  String.raw`sk-(?:proj|ant|or|svcacct)-|sk-\[[^\]]{1,32}\](?:\{\d\d|[+*])`,
  String.raw`(?:hf|npm)_(?:\[[^\]]{1,32}\]|\\w)(?:\{\d\d|[+*])|SG\.\[`,
  'AKIA|AIza|ya29\\.|eyJ|PRIVATE KEY',
];
const TOKEN = new RegExp(`(?<![A-Za-z0-9_])(?:${BEGINNINGS.join('|')})`);
const ESCAPED_SIGN = /\\([-_. ])/g;

/** The regular expression admits what only a credential looks like. */
export function patternAsks(pattern: string): boolean {
  return TOKEN.test(pattern.replaceAll(ESCAPED_SIGN, '$1'));
}
