// The characteristic curve of film: an S over the logarithm of light, which lifts faint tails and never quite saturates
// (Reinhard and Devlin 2005, doi:10.1109/TVCG.2005.9, after Naka and Rushton 1966).
const float kHalf = 1.6;  // light that maps to half of white

vec3 film_curve(vec3 light) {
  vec3 root = sqrt(light / kHalf);
  vec3 power = root * sqrt(root);  // power 0.75, the contrast; roots are cheap in software rendering
  return power / (1.0 + power);
}
