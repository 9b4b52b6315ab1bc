import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { Manifest } from './manifests.ts';
import type { ThirdParty } from './third-parties.ts';

const { ComponentType } = Enums;
const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));

/**
 * The content of a package in CycloneDX 1.6. It contains no time and no random number, so equal sources give equal
 * text.
 */
export function sbomOf({ name, version, license }: Manifest, parties: readonly ThirdParty[]): string {
  const bom = new Models.Bom();
  const product = componentOf(ComponentType.Application, { name, version, license: String(license) });
  bom.metadata.component = product;
  for (const party of parties) {
    const component = componentOf(ComponentType.Library, party);
    bom.components.add(component);
    product.dependencies.add(component.bomRef);
  }
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

function componentOf(
  type: Enums.ComponentType,
  { name, version, license }: Pick<ThirdParty, 'name' | 'version' | 'license'>,
): Models.Component {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const component = new Models.Component(type, plain ?? name, { group, version, purl: purlOf(name, version) });
  component.bomRef.value = `${name}@${version}`;
  component.licenses.add(
    SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.LicenseExpression(license),
  );
  return component;
}

/** Package URL; format: https://github.com/package-url/purl-spec */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}
