% Octave: systems of linear equations.
length_s = str2double(getenv("FAULT_SECONDS"));
a = rand(1200);
b = rand(1200, 1);
calls = 0;
begin = tic;
while toc(begin) < length_s
    x = a \ b;
    calls = calls + 1;
end
printf("%.4g pieces of work a second\n", calls / toc(begin));
