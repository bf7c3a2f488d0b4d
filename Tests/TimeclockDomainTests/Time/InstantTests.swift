import Testing
import TimeclockDomain
