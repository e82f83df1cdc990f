import { render } from 'preact';
import { Dashboard } from './dashboard.tsx';
import '../styles/tokens.css';
import '../styles/page.css';
import '../styles/controls.css';
import '../styles/numbers.css';
import '../styles/tables.css';
import '../styles/figures.css';
import '../styles/verdict.css';
import '../styles/changes.css';
import '../styles/levels.css';
import '../styles/evolve.css';
import '../styles/dashboard.css';
import '../styles/dashboard-forms.css';
import '../styles/print.css';

const root = document.getElementById('app');
if (root !== null) render(<Dashboard />, root);
