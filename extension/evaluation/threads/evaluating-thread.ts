import { serveOwner } from '../../platform/threads/serve-owner';
import { evaluateHere } from './evaluate-here';

/** Program of the thread that runs an evaluation. It starts playing threads of its own. */
serveOwner({ work: evaluateHere });
