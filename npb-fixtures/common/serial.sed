# Makes plain C for one thread of a preprocessed kernel: no layouts, no barriers, every iteration is an own one.
s/\bshared *\[[^]]*\]//g
s/\bshared\b//g
s/\bupc_barrier\b//g
s/\bupc_forall *(\([^;]*;[^;]*;[^;]*\);.*)$/for (\1)/
