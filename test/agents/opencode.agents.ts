import { describeAgent } from './every-agent';
import { openCode } from './opencode';

await describeAgent(openCode);
