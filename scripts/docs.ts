/** Writes every document that is generated from the sources. */
import { writeFileSync } from 'node:fs';
import { generated as configDocs } from './docs-config.js';
import { generated as dashboards } from './docs-dashboard.js';
import { generated as exampleDocs } from './docs-examples.js';
import { generated as manPage } from './docs-man.js';
import { generated as metricsDocs } from './docs-metrics.js';
import { generated as ruleDocs } from './docs-rules.js';

// Each reads what the one before it wrote: two of them keep parts of the README.
for (const generated of [configDocs, dashboards, manPage, metricsDocs, ruleDocs, exampleDocs])
  for (const [file, text] of generated()) writeFileSync(file, text);
