import { cline } from './cline';
import { describeAgent } from './every-agent';

await describeAgent(cline);
