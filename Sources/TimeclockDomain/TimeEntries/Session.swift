/// Something members are assigned to work at. Entries may name the one they belong to.
package enum Session {}
