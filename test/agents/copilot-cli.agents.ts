import { copilotCli } from './copilot-cli';
import { describeAgent } from './every-agent';

await describeAgent(copilotCli);
