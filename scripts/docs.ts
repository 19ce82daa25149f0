/** Writes every document that is generated from the sources. */
import { writeFileSync } from 'node:fs';
import { generated as configDocs } from './docs-config.js';
import { generated as metricsDocs } from './docs-metrics.js';
import { generated as ruleDocs } from './docs-rules.js';

for (const [file, text] of [...configDocs(), ...metricsDocs(), ...ruleDocs()]) writeFileSync(file, text);
