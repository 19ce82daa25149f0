/** The flags that have exchanges written down. */
import type { CaptureRequest } from '../config/loaded.js';
import { UsageError } from './declaration.js';

export interface CaptureFlags {
  readonly capture?: string | undefined;
  readonly captureFull?: boolean | undefined;
}

export const CAPTURE_SAYS = 'append every exchange to this file, redacted, for `mrtr-gateway inspect`';
export const CAPTURE_FULL_SAYS = 'do not redact it: credentials and all that is said stand in it';

/** Throws UsageError. */
export function readCapture({ capture, captureFull = false }: CaptureFlags): CaptureRequest | undefined {
  if (capture !== undefined && capture !== '') return { file: capture, full: captureFull };
  if (capture === undefined && !captureFull) return undefined;
  throw new UsageError([{ path: '--capture', message: 'which file?' }]);
}
