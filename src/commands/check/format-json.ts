/** A report for programs: one JSON object. */
import { type Report, rowsOf } from '../../check/report.js';
import { displayJson } from '../../client/display.js';
import { notesOf } from './words.js';

export function formatJson(report: Report, url: string): string {
  const { server, profile, exchanges, rows } = report;
  const count = (verdict: 'fail' | 'warn' | 'pass' | 'unseen') => rowsOf(report, verdict).length;
  const summary = {
    fail: count('fail'),
    warn: count('warn'),
    pass: count('pass'),
    unseen: count('unseen'),
  };
  return `${displayJson({ url, server, profile, exchanges, summary, notes: notesOf(report), rows })}\n`;
}
