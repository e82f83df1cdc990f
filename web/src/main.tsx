import { render } from 'preact';
import { AuditPageView } from './audit-page.tsx';
import { ComparisonView } from './comparison-page.tsx';
import { CurationView } from './curation-page.tsx';
import { EvolveRunView } from './evolve-page.tsx';
import { LabView } from './lab-page.tsx';
import { readPayload } from './payload.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/controls.css';
import './styles/numbers.css';
import './styles/tables.css';
import './styles/verdict.css';
import './styles/figures.css';
import './styles/changes.css';
import './styles/curation.css';
import './styles/levels.css';
import './styles/lab.css';
import './styles/evolve.css';
import './styles/print.css';

const root = document.getElementById('app');
const payload = readPayload();
if (root !== null)
  render(
    payload === null ? (
      <main class="empty">
        <p>This is the empty report template: it holds no data.</p>
      </main>
    ) : payload.kind === 'audit' ? (
      <AuditPageView page={payload.page} />
    ) : payload.kind === 'comparison' ? (
      <ComparisonView page={payload.page} />
    ) : payload.kind === 'curation' ? (
      <CurationView page={payload.page} />
    ) : payload.kind === 'lab' ? (
      <LabView page={payload.page} />
    ) : (
      <EvolveRunView view={payload.page} />
    ),
    root,
  );
